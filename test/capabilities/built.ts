import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { Ajv } from "ajv";
import { build } from "esbuild";
import { buildCapabilities } from "../../build/capabilities.ts";

export interface Answer {
  readonly text: string;
  readonly summary: string;
  readonly payload: Payload;
}

/** The fields that the tests read; each test asserts what stands in them. */
type Payload = {
  readonly [
    field in
      | "added"
      | "changes"
      | "csv"
      | "duration"
      | "epochMs"
      | "from"
      | "geometricMean"
      | "isComplete"
      | "isCut"
      | "kurtosis"
      | "longestLine"
      | "matches"
      | "median"
      | "mean"
      | "count"
      | "max"
      | "min"
      | "modes"
      | "outliers"
      | "pattern"
      | "percentiles"
      | "population"
      | "q1"
      | "q3"
      | "relation"
      | "removed"
      | "result"
      | "rows"
      | "columns"
      | "rowCount"
      | "same"
      | "skewness"
      | "stdev"
      | "sum"
      | "times"
      | "to"
      | "topWords"
      | "total"
      | "utf8Bytes"
      | "value"
      | "variance"
      | "words"
  ]?: unknown;
};

export interface BuiltTool {
  readonly name: string;
  readonly schema: object;
  /** Checks the arguments against the tool's schema, then runs it in its empty realm. */
  call(args: object, host?: { readonly timeZone?: string; readonly locale?: string }): Answer;
  /** The message of the ToolError that the call must end in. */
  refusal(args: object): string;
}

/** Builds the shipped capabilities once; `tool("text/stats")` is one of them in a realm that has ECMAScript and nothing else. */
export async function buildAll(): Promise<{
  folder: string;
  tool(path: string): Promise<BuiltTool>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "toolcell-capabilities-"));
  await buildCapabilities(folder);
  return {
    folder,
    tool: (path) => load(join(folder, `${path}.js`)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function load(file: string): Promise<BuiltTool> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "tool",
    platform: "neutral",
    alias: { "toolcell/tool": join(import.meta.dirname, "../../runtime-api/index.ts") },
  });
  const realm = createContext(Object.create(null));
  runInContext("for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'Temporal']) delete globalThis[name]", realm);
  runInContext(outputFiles[0]?.text ?? "", realm);
  const evaluate = (expression: string): unknown => JSON.parse(String(runInContext(`JSON.stringify(${expression})`, realm)));
  const schema: unknown = evaluate("tool.INPUT_SCHEMA");
  assert.ok(typeof schema === "object" && schema !== null);
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true, strict: true }).compile(schema);

  const run = (args: object, host: { timeZone?: string; locale?: string } = {}): unknown => {
    validate(args);
    assert.deepEqual(validate.errors ?? [], [], `the arguments do not fit INPUT_SCHEMA: ${JSON.stringify(args)}`);
    const context = JSON.stringify({ host: { timeZone: "Europe/Berlin", locale: "en", ...host } });
    return evaluate(`(() => {
      try { return { answer: tool.run(${context}, JSON.parse(${JSON.stringify(JSON.stringify(args))})) }; }
      catch (error) { return { name: error.name, message: error.message, stack: error.stack }; }
    })()`);
  };
  return {
    name: String(evaluate("tool.NAME")),
    schema,
    call(args, host) {
      const outcome = run(args, host) as { answer?: Answer; stack?: string };
      assert.ok(outcome.answer, outcome.stack);
      return outcome.answer;
    },
    refusal(args) {
      const outcome = run(args) as { name?: string; message?: string; stack?: string };
      assert.equal(outcome.name, "ToolError", outcome.stack ?? `no error: ${JSON.stringify(outcome)}`);
      return outcome.message ?? "";
    },
  };
}
