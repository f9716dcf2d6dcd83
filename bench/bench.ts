import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Each is a program of its own, in a process of its own: what one has loaded and measured is none of the next one's. */
const SCOPES = ["call", "start", "reload", "registry"];

// `npm run bench` measures all, `npm run bench -- reload` one.
const asked = process.argv.slice(2);
const unknown = asked.find((scope) => !SCOPES.includes(scope));
if (unknown !== undefined) {
  console.error(`There is no scope "${unknown}". There is ${SCOPES.join(", ")}`);
  process.exit(2);
}
for (const scope of asked.length === 0 ? SCOPES : asked) {
  console.log(`\n== ${scope}\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${scope}.ts`)], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
