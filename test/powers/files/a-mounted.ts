import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { LIMITS } from "../../../src/engine/limits.ts";
import type { Way } from "../../../src/powers/files/entry.ts";
import { createFiles, type FilesLimits } from "../../../src/powers/files/files.ts";
import { NO_PERMISSIONS, type Permissions } from "../../../src/powers/permissions.ts";
import { PowerError, type Power, type PowerAnswer, type PowerUse } from "../../../src/powers/power.ts";
import type { JsonObject } from "../../../src/catalogue/json.ts";
import { makeTempFolder, writeFiles, type Files } from "../../support/capabilities.ts";

export interface Mounted extends AsyncDisposable {
  readonly power: Power;
  /** Real folders; `outside` is beside them and holds the canary. */
  readonly base: string;
  readonly workspace: string;
  readonly home: string;
  readonly capability: string;
  readonly outside: string;
  readonly effects: { target: string; changes: boolean; state: string }[];
  readonly use: PowerUse;
  ask(op: string, args: JsonObject, bytes?: string | Buffer): Promise<PowerAnswer>;
  text(file: string): Promise<string>;
  write(file: string, content?: string): Promise<PowerAnswer>;
  /** The code with which it is refused. */
  refusal(op: string, args: JsonObject, bytes?: string | Buffer): Promise<string>;
}

export const CANARY = "the canary that nobody outside may hear";

const DEFAULTS = Object.fromEntries(Object.entries(LIMITS).map(([name, { value }]) => [name, value])) as unknown as FilesLimits;

export interface MountedOptions {
  readonly limits?: Partial<FilesLimits>;
  readonly permissions?: Partial<Permissions>;
  readonly way?: Way;
  readonly signal?: AbortSignal;
  readonly codeFolders?: () => readonly string[];
  /** Where the workspace is, from the base; default `workspace`. */
  readonly workspace?: string;
}

/** A files power over real folders, everything granted unless said otherwise. */
export function mount(files: Files = {}, options: MountedOptions = {}): Mounted {
  const temp = makeTempFolder();
  const base = temp.path;
  const place = (name: string): string => path.join(base, name);
  for (const name of ["workspace", "home", "capability", "outside"]) mkdirSync(place(name));
  writeFiles(base, { "outside/canary.txt": CANARY, "workspace-evil/canary.txt": CANARY, ...files });
  const power = createFiles(
    { ...DEFAULTS, ...options.limits },
    {
      ...(options.way === undefined ? {} : { way: options.way }),
      ...(options.codeFolders === undefined ? {} : { codeFolders: options.codeFolders }),
    },
  );
  const effects: Mounted["effects"] = [];
  const workspace = place(options.workspace ?? "workspace");
  const use: PowerUse = {
    capability: "demo",
    callId: "a call",
    places: { workspace, home: place("home"), capability: place("capability"), temp: place("home") },
    permissions: { ...NO_PERMISSIONS, workspace: "write", home: "write", ...options.permissions },
    signal: options.signal ?? new AbortController().signal,
    effect(target, changes) {
      const effect = { target, changes, state: "unknown" };
      effects.push(effect);
      return { done: () => void (effect.state = "done"), refused: () => void (effect.state = "refused") };
    },
  };
  const ask: Mounted["ask"] = async (op, args, bytes) => {
    const answer = await power.perform({ op, args, bytes: bytes === undefined ? null : Buffer.from(bytes) }, use);
    return answer;
  };
  return {
    power,
    base,
    workspace,
    effects,
    use,
    ask,
    home: place("home"),
    capability: place("capability"),
    outside: place("outside"),
    text: async (file) => textOf(await ask("readText", { path: file })),
    write: (file, content = "text") => ask("write", { path: file }, content),
    async refusal(op, args, bytes) {
      const error = await ask(op, args, bytes).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      assert(error instanceof PowerError, `${op} ${JSON.stringify(args).slice(0, 200)} was not refused: ${String(error)}`);
      assert(!error.message.includes(base), `The message shows a real path: ${error.message}`);
      return error.code;
    },
    async [Symbol.asyncDispose]() {
      await power[Symbol.asyncDispose]();
      temp[Symbol.dispose]();
    },
  };
}

export function textOf({ value, bytes }: PowerAnswer): string {
  return bytes?.toString((value as { encoding: BufferEncoding }).encoding) ?? "";
}

export function namesIn({ value }: PowerAnswer): string[] {
  return (value as unknown as { entries: { name: string }[] }).entries.map(({ name }) => name);
}
