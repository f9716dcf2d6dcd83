import { isJsonObject, type Json, type JsonObject } from "../../catalogue/json.ts";
import { POWER, PROCESS } from "../../catalogue/texts.ts";
import { denied, overLimit, PowerError, type Power, type PowerAnswer, type PowerRequest, type PowerUse } from "../power.ts";
import { GUEST_VARIABLES } from "./environment.ts";
import { makePlace, type RunPlace } from "./place.ts";
import { findProgram, isProgramName } from "./program.ts";
import { run, type RunEnd } from "./run.ts";

export interface ProcessLimits {
  readonly processMs: number;
  readonly processCount: number;
  readonly processInputBytes: number;
  readonly processOutputBytes: number;
}

interface Asked {
  readonly args: readonly string[];
  readonly input: string | Buffer | null;
  readonly cwd: string | null;
  readonly timeoutMs: number;
  readonly env: ReadonlyMap<string, string>;
}

const ARGUMENT_COUNT = 1000;

/**
 * Runs programs that the owner has granted by name, without a shell and without the host's environment. A program is an ordinary
 * process of the owner's account, and no wall is around it: a grant gives a capability whatever that program can do.
 */
export function createProcess(limits: ProcessLimits): Power {
  const closing = new AbortController();
  const counts = new WeakMap<AbortSignal, number>();
  const underWay = new Set<Promise<unknown>>();

  async function runOne({ args, bytes }: PowerRequest, use: PowerUse): Promise<PowerAnswer> {
    const name = args["program"];
    if (!isProgramName(name)) throw new PowerError("EINVAL", PROCESS.name);
    if (!use.permissions.process.includes(name)) throw denied(PROCESS.denied(name));
    const asked = readRequest(name, args, bytes, limits);
    const count = (counts.get(use.signal) ?? 0) + 1;
    if (count > limits.processCount) throw overLimit(PROCESS.count(limits.processCount));
    counts.set(use.signal, count);

    const program = await findProgram(name, use.places);
    await using place = await makePlace(asked.cwd, use);
    if (closing.signal.aborted) throw new PowerError("ECANCELED", PROCESS.closed);
    const effect = use.effect(name, true);
    const signal = AbortSignal.any([use.signal, closing.signal]);
    const end = await run({ ...asked, name, program, place, signal, outputBytes: limits.processOutputBytes });
    switch (end.kind) {
      case "unstarted":
        effect.refused();
        throw new PowerError(end.code, PROCESS.notStarted(name, end.code));
      // What it has done until then nobody knows.
      case "timeout":
        throw new PowerError("ETIMEDOUT", PROCESS.timedOut(name, asked.timeoutMs));
      case "aborted":
        throw new PowerError("ECANCELED", closing.signal.aborted ? PROCESS.closed : PROCESS.ended(name));
      case "ended":
        effect.done();
        return { value: toAnswer(end, place) };
    }
  }

  return {
    perform: async (request, use) => {
      if (request.op !== "run") throw new PowerError("POWER_FAILED", POWER.unknownOp(request.op.slice(0, 40)));
      const running = runOne(request, use);
      const settled = running.catch(() => undefined).finally(() => underWay.delete(settled));
      underWay.add(settled);
      return await running;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

function readRequest(name: string, request: JsonObject, bytes: Buffer | null, limits: ProcessLimits): Asked {
  const { args = [], input = null, cwd = null, timeoutMs = limits.processMs, env = {} } = request;
  if (!Array.isArray(args) || !(args as readonly Json[]).every(isCleanText)) throw new PowerError("EINVAL", PROCESS.args);
  if (args.length > ARGUMENT_COUNT) throw overLimit(PROCESS.argCount(ARGUMENT_COUNT));
  if (input !== null && typeof input !== "string") throw new PowerError("EINVAL", PROCESS.input);
  if (cwd !== null && !isCleanText(cwd)) throw new PowerError("EINVAL", PROCESS.cwd);
  if (typeof timeoutMs !== "number" || !Number.isSafeInteger(timeoutMs) || timeoutMs < 1) throw new PowerError("EINVAL", PROCESS.timeout);
  const asked = {
    args: args as readonly string[],
    input: bytes ?? input,
    cwd,
    timeoutMs: Math.min(timeoutMs, limits.processMs),
    env: readEnv(env),
  };
  // The program's name is its first argument; each of the others has an end of its own, as the system has it.
  const texts = [name, cwd ?? "", ...asked.args, ...asked.env.keys(), ...asked.env.values()];
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), asked.args.length + Buffer.byteLength(asked.input ?? ""));
  if (size > limits.processInputBytes) throw overLimit(PROCESS.inputBytes(limits.processInputBytes));
  return asked;
}

function readEnv(env: Json): ReadonlyMap<string, string> {
  const entries = isJsonObject(env) ? Object.entries(env) : null;
  const read = new Map<string, string>();
  for (const [name, value] of entries ?? [["", null]]) {
    if (!GUEST_VARIABLES.includes(name) || !isCleanText(value)) throw new PowerError("EINVAL", PROCESS.env(GUEST_VARIABLES.join(", ")));
    read.set(name, value);
  }
  return read;
}

function isCleanText(value: Json): value is string {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
}

function toAnswer({ exitCode, signal, stdout, stderr, truncated }: RunEnd & { readonly kind: "ended" }, place: RunPlace): JsonObject {
  // A character that the cut went through is left out; whatever else is no UTF-8 becomes U+FFFD.
  const decode = (output: Buffer): string =>
    withoutPaths(new TextDecoder("utf-8", { ignoreBOM: true }).decode(output, { stream: truncated }), place);
  return { exitCode, signal, stdout: decode(stdout), stderr: decode(stderr), truncated };
}

// Where the folders really are is no guest's business: what a program says of them is told in the guest's own names.
function withoutPaths(text: string, { names }: RunPlace): string {
  return names.reduce((told, [real, name]) => {
    if (real.length < 2 || !told.includes(real)) return told;
    return told.replaceAll(new RegExp(`${real.replace(SYNTAX, "\\$&")}(?![\\w-]|\\.\\w)`, "gu"), () => name);
  }, text);
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/gu;
