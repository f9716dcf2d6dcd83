#!/usr/bin/env node
// Nothing is imported before this look: under an older Node the rest would not even parse.
const [major = "0"] = process.versions.node.split(".");
if (Number(major) < 24) {
  console.error(`toolcell needs Node 24 or later and this is ${process.version}: install Node 24 and run it again.`);
  process.exitCode = 2;
} else {
  const { main } = await import("./cli/main.ts");
  process.exitCode = await main(process.argv.slice(2));
}
