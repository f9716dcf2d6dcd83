import { arch, cpus, release, totalmem, type } from "node:os";
import type { Run } from "./guest.ts";
import type { Package } from "./list.ts";

export interface Tried extends Run {
  readonly entry: Package;
}

/** docs/packages.md, whole. */
export function packagesPage(tried: readonly Tried[]): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release().split(".", 2).join(".")} ${arch()}`;
  return `${[
    "# Packages that run in a cell",
    "",
    "Written by `npm run packages`. Do not edit.",
    "",
    "Each package is installed from the registry in the version shown, without its install scripts, into the folder of a capability",
    "whose one tool imports it as any author would. The tool is bundled by the engine, called in the guest of a fresh engine, and",
    "its answer compared with a literal in `packages/answers.ts`, which was checked by hand. The tasks are in `packages/tasks/`.",
    "Nothing is granted but WebAssembly to `sql.js` and a server on the loopback to the clients of services.",
    "",
    "The last column is the quickest of three first calls, each in an engine of its own: the cell's start, the bundle's loading and",
    "the task itself. 1 is the same for a tool that imports nothing and has its turn before each of them. Only the ratio says something:",
    `the machine (${machine}; Node ${process.version}) does other things too.`,
    "",
    `**${passing(tried)} of ${tried.length} pass.**`,
    "",
    "| package | what it was asked | passes | bundle | first call |",
    "|---|---|---|---|---|",
    ...tried.map(toRow),
  ].join("\n")}\n`;
}

/** How many packages pass by a page that was written earlier. */
export function passingByPage(page: string): number {
  return Number(/^\*\*(\d+) of \d+ pass\.\*\*$/mu.exec(page)?.[1] ?? 0);
}

export function passing(tried: readonly Tried[]): number {
  return tried.filter(({ fault }) => fault === null).length;
}

/** How many times as long as a trivial tool's its first call took; nothing where it failed. */
export function timesTrivial({ firstMs, trivialMs }: Run): string {
  return firstMs === null || trivialMs === null ? "" : (firstMs / trivialMs).toFixed(1);
}

function toRow(tried: Tried): string {
  const { entry, asked, fault, bundleBytes } = tried;
  const passes = fault === null ? "yes" : `no: ${fault.slice(0, 300)}`;
  const size = bundleBytes === null ? "" : `${Math.ceil(bundleBytes / 1024)} KiB`;
  return `| \`${entry.name}\` ${entry.version} | ${toCell(asked)} | ${toCell(passes)} | ${size} | ${timesTrivial(tried)} |`;
}

function toCell(text: string): string {
  return text.replaceAll(/\s+/gu, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
