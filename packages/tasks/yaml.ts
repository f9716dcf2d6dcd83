import { parse, parseDocument, stringify } from "yaml";

export const NAME = "yaml";
export const DESCRIPTION = "Anchors, merges and block text read, a value written, a comment kept over a change, a fault placed.";

const YAML = `base: &base { size: 1, on: true }
more: { <<: *base, size: 2 }
text: |
  one
  two
list: [1, 2.5, 0x1f, null, "no"]
`;

export function run() {
  const document = parseDocument("# kept\na: 1 # here\n");
  document.set("b", [1]);
  const [fault] = parseDocument("a: [1\nb: 2").errors;
  return {
    parsed: parse(YAML, { merge: true }),
    written: stringify({ a: ["x: y", ""], b: {} }),
    document: document.toString(),
    line: fault?.linePos?.[0].line,
  };
}
