import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createEngine, type Engine, type EngineOptions, type JobEntry } from "toolcell";
import { makeTempFolder, toolFile, type Files } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

const BACKGROUND = "export const EXECUTION_PROFILE = { background_eligible: true };";
const REPEATABLE = "export const EXECUTION_PROFILE = { background_eligible: true, retry_safe: true };";

const QUICK = { jobPollMs: 20 };

// Each run leaves a file for its beginning and one for its end, so that one that ran twice is seen to have.
const RECORD = `const run = async (context, { n, ms = 0 }) => {
  const begunAt = Date.now();
  await context.fs.write(\`/workspace/begun.\${n}.\${context.callId}\`, "");
  context.progress(0.5, "half");
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  await context.fs.write(\`/workspace/ended.\${n}.\${context.callId}\`, "");
  return { text: \`did \${n}\`, summary: "did it", payload: { n, begunAt, endedAt: Date.now() } };
};`;

/** Tools that may run in the background: `record` is not safe to be run twice, `repeat` is; `hold` runs until it is let go. */
export const LEDGER: Files = {
  "ledger/index.js": 'export const PERMISSIONS = { workspace: "write" };',
  "ledger/record.js": toolFile("record", RECORD, { code: BACKGROUND }),
  "ledger/repeat.js": toolFile("repeat", RECORD, { code: REPEATABLE }),
  "ledger/refuse.js": toolFile("refuse", "const run = () => { throw new ToolError('Not today.'); };", { code: BACKGROUND }),
  "ledger/hold.js": toolFile("hold", holdRun(true), { code: BACKGROUND }),
  "ledger/hold_still.js": toolFile("hold_still", holdRun(false), { code: BACKGROUND }),
  "ledger/foreground.js": toolFile("foreground", "const run = () => 'here';"),
};

// Until a file is there. With `marks` it leaves one first: it has done something.
function holdRun(marks: boolean): string {
  return `const run = async (context, { n }) => {
  ${marks ? 'await context.fs.write(`/workspace/begun.${n}.${context.callId}`, "");' : ""}
  context.progress(0.25, "holding");
  for (;;) {
    if (await context.fs.exists(\`/workspace/go.\${n}\`)) return \`let go of \${n}\`;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};`;
}

export interface TestQueue extends TestEngine {
  readonly workspace: string;
  /** How often a run has begun, or come to its end. */
  count(what: "begun" | "ended", n: number | string): number;
  /** Lets the runs of `hold` end. */
  letGo(n: number | string): void;
  /** Another engine over the same home, workspace and capabilities. */
  another(options?: EngineOptions): Promise<Engine>;
  /** Whether a process has a job in its hands, or has even begun one. */
  runs(pid: number | undefined, stage: "taken" | "begun"): boolean;
  /** The workers that the file knows of. */
  workers(): readonly unknown[];
  alter(sql: string, ...values: (string | number)[]): void;
  /** The flags of a command that has the same. */
  readonly flags: readonly string[];
}

/** An engine that has jobs, and what its tools leave behind. */
export async function makeQueue(options: EngineOptions = {}, files: Files = {}): Promise<TestQueue> {
  const work = makeTempFolder();
  const workspace = work.path;
  const settled = { workspace, ...options, limits: { ...QUICK, ...options.limits } };
  const made = await makeEngine({ ...LEDGER, ...files }, settled);
  await made.engine.grant("ledger");
  const names = (): readonly string[] => readdirSync(workspace);
  let looking: DatabaseSync | null = null;
  return {
    ...made,
    workspace,
    count: (what, n) => names().filter((name) => name.startsWith(`${what}.${n}.`)).length,
    letGo: (n) => writeFileSync(path.join(workspace, `go.${n}`), ""),
    another: (other = {}) =>
      createEngine({ home: made.home, capabilities: [made.folder], ...settled, ...other, limits: { ...settled.limits, ...other.limits } }),
    runs: (pid = 0, stage) => {
      // Asked again and again while others have the machine to themselves: it is opened once.
      looking ??= new DatabaseSync(path.join(made.home, "jobs.db"), { timeout: 5000 });
      const sql = "SELECT 1 FROM jobs JOIN workers ON worker = workers.id WHERE mark ->> 'pid' = ? AND state = 'running' AND begun >= ?";
      return looking.prepare(sql).get(pid, stage === "begun" ? 1 : 0) !== undefined;
    },
    workers: () => {
      using database = new DatabaseSync(path.join(made.home, "jobs.db"), { timeout: 5000 });
      return database.prepare("SELECT id FROM workers").all();
    },
    alter: (sql, ...values) => alterJobs(made.home, sql, ...values),
    flags: ["--home", made.home, "--workspace", workspace, "--capabilities", made.folder],
    [Symbol.asyncDispose]: async () => {
      looking?.close();
      await made[Symbol.asyncDispose]();
      work[Symbol.dispose]();
    },
  };
}

/** Changes a home's file of jobs behind everybody's back. */
export function alterJobs(home: string, sql: string, ...values: readonly (string | number)[]): void {
  using database = new DatabaseSync(path.join(home, "jobs.db"), { timeout: 5000 });
  database.prepare(sql).run(...values);
}

/** Resolves once a job has reported for the first time, or has ended. */
export async function untilRunning({ engine }: Pick<TestEngine, "engine">, id: string): Promise<void> {
  const seen = new AbortController();
  await engine.waitForJob(id, { signal: seen.signal, onProgress: () => seen.abort() }).catch((error: unknown) => {
    if (!seen.signal.aborted) throw error;
  });
}

/** What a job is, in the words that most tests are about. */
export function ended({ state, outcome }: JobEntry): readonly [string, string | null] {
  return [state, outcome?.error?.code ?? null];
}
