import { parse, stringify, TomlError } from "smol-toml";

export const NAME = "smol_toml";
export const DESCRIPTION = "Tables, dates and numbers read, a value written and read back, the place of a fault.";

const TOML = `title = "Tea"
at = 2026-05-01T10:00:00Z
[brew]
minutes = 3_0
ratio = 0.5
[[cup]]
name = 'A\\B'
[[cup]]
name = """two
lines"""
`;

export function run() {
  const value = { a: { b: [1, "x"] }, c: true };
  let line = 0;
  try {
    parse("a = 1\nb = = 2");
  } catch (error) {
    if (error instanceof TomlError) ({ line } = error);
  }
  return { parsed: parse(TOML), back: parse(stringify(value)), line };
}
