import { FROM_CELL, TO_CELL, type CallBody, type GuestConfig } from "../../src/bridge/messages.ts";
import { GUEST } from "../../src/catalogue/texts.ts";
import { createCall, type Call, type Realm } from "./call.ts";
import { createCalls } from "./calls.ts";
import { badResultBody, describe, failureBody, stackOf, thrownBody } from "./failure.ts";
import { faultText, type Finding } from "./faults.ts";
import { GuestError, GuestPromise, create, freeze, hasOwn, parseJson, then } from "./intrinsics.ts";
import { post } from "./outbox.ts";
import { dropRequestsOf, takeAnswer } from "./powers.ts";
import { rehearse } from "./rehearsal.ts";
import { resultMessage } from "./result.ts";
import { clearTimersOf } from "./timers.ts";

interface BundledTool {
  readonly file: string;
  load(): Promise<unknown>;
  validate(): Promise<unknown>;
  explain(): Promise<unknown>;
}
type Validator = ((args: unknown) => boolean) & { errors?: readonly Finding[] | null };
interface PreparedTool {
  readonly run: (context: unknown, args: unknown) => unknown;
  readonly unload: unknown;
  readonly validate: Validator;
  readonly bundled: BundledTool;
}

/** What a bundle evaluates to. */
export interface Bundled {
  readonly tools: Record<string, BundledTool>;
}

/** What both kinds of cell have: calls, from their message to their end. */
export interface Runtime {
  /** The call of this number, while it has not ended. */
  callOf(number: number): Call | undefined;
  /** Takes the tools of the bundle in. */
  load(bundled: Bundled): void;
  /** Acts on one message of the host's. */
  receive(type: number, number: number, body: string): void;
}

/** The runtime in a realm that is built up. Nothing of a package's runs before a message asks for it. */
export function createRuntime(realm: Realm): Runtime {
  const calls = createCalls();
  const prepared = create(null) as Record<string, PreparedTool>;
  let bundled: Record<string, BundledTool> = create(null) as Record<string, BundledTool>;
  let config: GuestConfig;

  return {
    callOf: calls.find,
    load({ tools }) {
      bundled = tools;
      post(FROM_CELL.LOADED, 0, "");
    },
    receive(type, number, body) {
      switch (type) {
        case TO_CELL.LOAD:
          configure(parseJson(body) as GuestConfig);
          break;
        case TO_CELL.PREPARE:
          // A module body may log and may set timers that end with its loading; the host answers none of its requests.
          begin(number, "", null, (call) => prepare(call, (parseJson(body) as { tool: string }).tool));
          break;
        case TO_CELL.UNLOAD:
          begin(number, "unload", null, (call) => unload(call, (parseJson(body) as { tool: string }).tool));
          break;
        case TO_CELL.CALL: {
          const asked = parseJson(body) as CallBody;
          begin(number, asked.callId, asked.resultLimit, (call) => run(call, asked));
          break;
        }
        case TO_CELL.CANCEL: {
          const call = calls.find(number);
          if (call !== undefined) realm.within(call, () => call.abort());
          break;
        }
        case TO_CELL.ANSWER:
        case TO_CELL.ANSWER_BYTES:
          takeAnswer(body, type === TO_CELL.ANSWER_BYTES);
          break;
        case TO_CELL.REHEARSE:
          rehearse(realm);
          post(FROM_CELL.PONG, number, "");
          break;
        case TO_CELL.PING:
          post(FROM_CELL.PONG, number, "");
          break;
        default:
          break;
      }
    },
  };

  function configure(given: GuestConfig): void {
    config = given;
    freeze(config.paths);
    freeze(config.host);
    realm.configure(config);
  }

  function begin(number: number, callId: string, resultLimit: number | null, act: (call: Call) => void): void {
    const call = createCall(number, callId, resultLimit, config, realm);
    calls.add(call);
    realm.within(call, () => act(call));
  }

  function prepare(call: Call, name: string): void {
    const tool = hasOwn(bundled, name) ? bundled[name] : undefined;
    if (tool === undefined) return failLoad(call, GUEST.noTool(name));
    const fail = (error: unknown): void => failLoad(call, describe(error, 2), error);
    after(
      tool.load(),
      (module) => {
        const { run: main, unload: close } = module as { run?: unknown; unload?: unknown };
        if (typeof main !== "function") return failLoad(call, GUEST.noRun(tool.file));
        after(
          tool.validate(),
          (validator) => {
            prepared[name] = { run: main as PreparedTool["run"], unload: close, validate: validatorOf(validator), bundled: tool };
            settle(call, FROM_CELL.PREPARED, typeof close === "function" ? "true" : "false");
          },
          fail,
        );
      },
      fail,
    );
  }

  function failLoad(call: Call, message: string, error?: unknown): void {
    settle(call, FROM_CELL.FAILURE, failureBody("load", message, call.limits, false, stackOf(error)));
  }

  function unload(call: Call, name: string): void {
    const fail = (error: unknown): void => settle(call, FROM_CELL.FAILURE, thrownBody(error, call.limits));
    const close = prepared[name]?.unload;
    if (typeof close !== "function") return settle(call, FROM_CELL.PREPARED, "false");
    try {
      after((close as () => unknown)(), () => settle(call, FROM_CELL.PREPARED, "false"), fail);
    } catch (error) {
      fail(error);
    }
  }

  function run(call: Call, { tool: name, args }: CallBody): void {
    const tool = prepared[name];
    if (tool === undefined) return failLoad(call, GUEST.noTool(name));
    const fail = (error: unknown): void => settle(call, FROM_CELL.FAILURE, thrownBody(error, call.limits));
    try {
      if (!tool.validate(args)) return explain(call, tool, args, fail);
      after(tool.run(call.context, args), (value) => succeed(call, value), fail);
    } catch (error) {
      fail(error);
    }
  }

  function explain(call: Call, tool: PreparedTool, args: unknown, fail: (error: unknown) => void): void {
    after(
      tool.bundled.explain(),
      (module) => {
        const validate = validatorOf(module);
        validate(args);
        const faults = faultText(validate.errors ?? [], args, call.limits.faultCount);
        settle(call, FROM_CELL.FAILURE, failureBody("arguments", faults, call.limits));
      },
      fail,
    );
  }

  function succeed(call: Call, value: unknown): void {
    let message: { readonly type: number; readonly body: string };
    try {
      message = resultMessage(value, call.limits);
    } catch (error) {
      message = { type: FROM_CELL.FAILURE, body: badResultBody(error, call.limits) };
    }
    settle(call, message.type, message.body);
  }

  // The one end of a call: what comes later of it is dropped.
  function settle(call: Call, type: number, body: string): void {
    if (call.isEnded) return;
    call.flush();
    call.isEnded = true;
    clearTimersOf(call);
    dropRequestsOf(call);
    calls.remove(call.number);
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
