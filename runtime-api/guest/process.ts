import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolProcess, ToolProcessEnd, ToolProcessOptions } from "../types.ts";
import type { Call } from "./call.ts";
import { GuestTypeError, create, freeze, isArray, keysOf } from "./intrinsics.ts";
import { toMount } from "./paths.ts";
import { PowerError, latin1, requestPower } from "./powers.ts";

const GuestUint8Array = Uint8Array;

/** `context.process` of a call. */
export function createProcess(callOf: () => Call): ToolProcess {
  return freeze({
    async run(program: string, args: readonly string[] = [], options: ToolProcessOptions = {}) {
      const bytes = callOf().limits.processInputBytes;
      let left = bytes;
      // The host counts again; here it keeps a giant out of the message.
      const spend = (length: number): void => {
        left -= length;
        if (left < 0) throw new PowerError("POWER_LIMIT", GUEST.programTooLarge(bytes));
      };
      const { input, cwd, timeoutMs, env } = options;
      const request = create(null);
      request["program"] = asText(program, spend);
      request["args"] = copyOf(args, spend);
      if (cwd !== undefined) request["cwd"] = asText(toMount(cwd), spend);
      if (timeoutMs !== undefined) request["timeoutMs"] = typeof timeoutMs === "number" ? timeoutMs : null;
      if (env !== undefined) request["env"] = copyOfRecord(env, spend);
      if (typeof input === "string") request["input"] = asText(input, spend);
      else if (input !== undefined && !(input instanceof GuestUint8Array)) throw new GuestTypeError(GUEST.programInput);
      else if (input !== undefined) spend(input.length);
      const sent = input === undefined || typeof input === "string" ? null : latin1(input);
      return (await requestPower(callOf(), "process", "run", request, sent)).value as ToolProcessEnd;
    },
  });
}

type Spend = (length: number) => void;

function asText(value: unknown, spend: Spend): string {
  if (typeof value !== "string") throw new GuestTypeError(GUEST.programArgs);
  spend(value.length);
  return value;
}

function copyOf(args: unknown, spend: Spend): readonly string[] {
  if (!isArray(args)) throw new GuestTypeError(GUEST.programArgs);
  const copy: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    copy[index] = asText(args[index], spend);
    spend(1);
  }
  return copy;
}

function copyOfRecord(env: object, spend: Spend): Record<string, unknown> {
  const copy = create(null);
  const names = keysOf(env);
  for (let index = 0; index < names.length; index += 1) {
    const name = asText(names[index], spend);
    copy[name] = asText((env as Record<string, unknown>)[name], spend);
  }
  return copy;
}
