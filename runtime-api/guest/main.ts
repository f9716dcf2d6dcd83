import { FROM_CELL, TO_CELL, type CallBody, type GuestConfig } from "../../src/bridge/messages.ts";
import { GUEST } from "../../src/catalogue/texts.ts";
import { ToolError } from "../tool-error.ts";
import { createCall, installConsole, type Call } from "./call.ts";
import { badResultBody, describe, failureBody, thrownBody } from "./failure.ts";
import { faultText, type Finding } from "./faults.ts";
import { installFetch } from "./fetch.ts";
import { createNodeFiles } from "./files-node.ts";
import { missing } from "./files-shapes.ts";
import {
  GuestError,
  GuestMap,
  GuestPromise,
  create,
  define,
  freeze,
  hasOwn,
  mapDelete,
  mapGet,
  mapSet,
  parseJson,
  then,
} from "./intrinsics.ts";
import { lastOutbox, openOutbox, post, type Emit } from "./outbox.ts";
import { dropRequestsOf, takeAnswer } from "./powers.ts";
import { grantWebAssembly, sealRealm } from "./realm.ts";
import { resultBody } from "./result.ts";
import { clearTimersOf, installTimers, runTimer, timerCall } from "./timers.ts";

/** One turn: a message in, whatever it sets off, messages out in the outbox that it returns. */
export type Deliver = (type: number, call: number, body: string) => unknown[];

interface BundledTool {
  readonly file: string;
  load(): Promise<unknown>;
  validate(): Promise<unknown>;
  explain(): Promise<unknown>;
}
type Validator = ((args: unknown) => boolean) & { errors?: readonly Finding[] | null };
interface PreparedTool {
  readonly run: (context: unknown, args: unknown) => unknown;
  readonly validate: Validator;
  readonly bundled: BundledTool;
}

/** Builds the realm up and returns the one function through which everything enters. Runs once, before any package's code. */
export function boot(emit: Emit): Deliver {
  const calls = new GuestMap<number, Call>();
  const prepared = create(null) as Record<string, PreparedTool>;
  let bundled: Record<string, BundledTool> = create(null) as Record<string, BundledTool>;
  let config: GuestConfig;
  let current: Call | undefined;

  sealRealm();
  installConsole(() => current);
  installTimers(() => current);
  installFetch(() => current);
  define(globalThis, "__toolcell_load", (evaluate: (toolcell: unknown) => { tools: Record<string, BundledTool> }) => {
    delete (globalThis as { __toolcell_load?: unknown }).__toolcell_load;
    bundled = evaluate(freeze({ ToolError, fs: createNodeFiles(() => current), missing })).tools;
    post(FROM_CELL.LOADED, 0, "");
  });

  return function deliver(type, number, body) {
    if (type === TO_CELL.DRAIN) return lastOutbox();
    const outbox = openOutbox();
    current = type === TO_CELL.TIMER ? timerCall(number) : mapGet(calls, number);
    switch (type) {
      case TO_CELL.LOAD:
        config = parseJson(body) as GuestConfig;
        freeze(config.paths);
        freeze(config.host);
        if (config.wasm) grantWebAssembly();
        break;
      case TO_CELL.PREPARE:
        prepare(number, (parseJson(body) as { tool: string }).tool);
        break;
      case TO_CELL.CALL:
        begin(number, parseJson(body) as CallBody);
        break;
      case TO_CELL.CANCEL:
        current?.abort();
        break;
      case TO_CELL.ANSWER:
      case TO_CELL.ANSWER_BYTES:
        takeAnswer(body, type === TO_CELL.ANSWER_BYTES);
        break;
      case TO_CELL.TIMER:
        runTimer(number);
        break;
      case TO_CELL.PING:
        post(FROM_CELL.PONG, number, "");
        break;
      default:
        break;
    }
    return outbox;
  };

  function prepare(number: number, name: string): void {
    // A module body may log and may set timers that end with its loading.
    const call = createCall(number, "", null, config, emit);
    mapSet(calls, number, call);
    current = call;
    const tool = hasOwn(bundled, name) ? bundled[name] : undefined;
    if (tool === undefined) return failLoad(call, GUEST.noTool(name));
    const fail = (error: unknown): void => failLoad(call, describe(error, 2), error);
    after(
      tool.load(),
      (module) => {
        const { run } = module as { run?: unknown };
        if (typeof run !== "function") return failLoad(call, GUEST.noRun(tool.file));
        after(
          tool.validate(),
          (validator) => {
            prepared[name] = { run: run as PreparedTool["run"], validate: validatorOf(validator), bundled: tool };
            settle(call, FROM_CELL.PREPARED, "");
          },
          fail,
        );
      },
      fail,
    );
  }

  function failLoad(call: Call, message: string, error?: unknown): void {
    const stack = typeof error === "object" && error !== null ? readStack(error) : null;
    settle(call, FROM_CELL.FAILURE, failureBody("load", message, call.limits, false, stack));
  }

  function begin(number: number, { tool: name, callId, resultLimit, args }: CallBody): void {
    const call = createCall(number, callId, resultLimit, config, emit);
    mapSet(calls, number, call);
    current = call;
    const tool = prepared[name];
    if (tool === undefined) return failLoad(call, GUEST.noTool(name));
    try {
      if (!tool.validate(args)) return explain(call, tool, args);
      after(
        tool.run(call.context, args),
        (value) => succeed(call, value),
        (error) => settle(call, FROM_CELL.FAILURE, thrownBody(error, call.limits)),
      );
    } catch (error) {
      settle(call, FROM_CELL.FAILURE, thrownBody(error, call.limits));
    }
  }

  function explain(call: Call, tool: PreparedTool, args: unknown): void {
    after(
      tool.bundled.explain(),
      (module) => {
        const validate = validatorOf(module);
        validate(args);
        settle(
          call,
          FROM_CELL.FAILURE,
          failureBody("arguments", faultText(validate.errors ?? [], args, call.limits.faultCount), call.limits),
        );
      },
      (error) => settle(call, FROM_CELL.FAILURE, thrownBody(error, call.limits)),
    );
  }

  function succeed(call: Call, value: unknown): void {
    let type: number = FROM_CELL.RESULT;
    let body: string;
    try {
      body = resultBody(value, call.limits);
    } catch (error) {
      type = FROM_CELL.FAILURE;
      body = badResultBody(error, call.limits);
    }
    settle(call, type, body);
  }

  // The one end of a call: what comes later of it is dropped.
  function settle(call: Call, type: number, body: string): void {
    if (call.isEnded) return;
    call.flush();
    call.isEnded = true;
    clearTimersOf(call);
    dropRequestsOf(call);
    mapDelete(calls, call.number);
    post(type, call.number, body);
  }
}

// Resolves whatever a tool returned, thenables included, by the captured Promise: rejections never go unhandled.
function after(value: unknown, ok: (value: unknown) => void, bad: (error: unknown) => void): void {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return ok(value);
  void then(value instanceof GuestPromise ? value : new GuestPromise((resolve) => resolve(value)), ok, bad);
}

function validatorOf(module: unknown): Validator {
  const { default: validator } = module as { default?: unknown };
  if (typeof validator !== "function") throw new GuestError("The bundle's validator is no function");
  return validator as Validator;
}

function readStack(error: object): string | null {
  try {
    const { stack } = error as { stack?: unknown };
    return typeof stack === "string" ? stack : null;
  } catch {
    return null;
  }
}
