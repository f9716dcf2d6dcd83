import { CANARY } from "./case.ts";
import { createDriver, DEADLINE_MS, DRIVERS } from "./driver.ts";
import { CASES } from "./groups.ts";

// One case under one driver, in a process that is lost with it. Two lines of JSON go to stdout: when the case begins, and
// what this process saw of it. Then it has to end by itself.

const SETTLE_MS = DEADLINE_MS + 1500;
const CLOSE_MS = 2000;
const LOOK_MS = 10;

const [driverName, caseName] = process.argv.slice(2);
const name = DRIVERS.find((known) => known === driverName);
const hazard = CASES.find((known) => known.name === caseName);
if (name === undefined || hazard === undefined) throw new Error(`There is no driver "${driverName}" or no case "${caseName}"`);

process.env["HAZARD_CANARY"] = CANARY;
let strays = 0;
process.on("unhandledRejection", () => (strays += 1));

const driver = await createDriver(name, hazard);
await driver.run("return 'warm';");
say({ begun: true });

const delays: number[] = [];
let lookedAt = performance.now();
const look = setInterval(() => {
  const now = performance.now();
  delays.push(now - lookedAt - LOOK_MS);
  lookedAt = now;
}, LOOK_MS);

const begunAt = performance.now();
const end = await Promise.race([settled(), after(SETTLE_MS)]);
const settledMs = performance.now() - begunAt;
const closed = await Promise.race([driver.close().then(() => true), after(CLOSE_MS)]);
clearInterval(look);
say({
  settledMs,
  end: end ?? { how: "never", text: "" },
  delays: delays.filter((delay) => delay > 50).map(Math.round),
  isClosed: closed === true,
  isPolluted: "polluted" in {} || "polluted" in Function.prototype,
  hasLeaked: hazard.leak !== undefined && end !== null && hazard.leak.test(end.text),
  strays,
});

async function settled(): Promise<{ readonly how: "returned" | "failed" | "wrong"; readonly text: string }> {
  try {
    return { how: "returned", text: (await driver.run(hazard?.body ?? "")).slice(0, 100_000) };
  } catch (error) {
    const text = error instanceof Error ? String(error.message) : "a value that is no Error";
    return { how: error instanceof Error && error.name === "WrongEnd" ? "wrong" : "failed", text: text.slice(0, 2000) };
  }
}

function after(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, null).unref();
  });
}

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
