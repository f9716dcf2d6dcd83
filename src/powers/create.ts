import { createFiles, type Files, type FilesLimits } from "./files/files.ts";
import type { NetworkLimits } from "./network/limits.ts";
import { createNetwork } from "./network/network.ts";
import type { PowerSet } from "./powers.ts";
import { createProcess, type ProcessLimits } from "./process/process.ts";
import { createSecrets, type Secrets } from "./secrets/secrets.ts";
import { createVault } from "./secrets/vault.ts";
import { createStorage, type StorageLimits } from "./storage/storage.ts";
import { createTools, type ToolCaller, type ToolMaker } from "./tools/tools.ts";

export interface PowersOptions {
  readonly home: string;
  /** Folders that capabilities are loaded from: no tool changes them. */
  readonly codeFolders: () => readonly string[];
  readonly limits: FilesLimits & NetworkLimits & StorageLimits & ProcessLimits & { readonly powerBytes: number };
  /** Who may call tools from inside: the tests of a capability, or nobody. */
  readonly toolCaller: ToolCaller | null;
  /** Who may write and share tools from inside, or nobody. */
  readonly toolMaker: ToolMaker | null;
}

/** Every power of an engine; the real folders and what secrets are masked by are the engine's to use as well. */
export interface Powers extends PowerSet {
  readonly files: Files;
  readonly secrets: Secrets;
}

export function createPowers({ home, codeFolders, limits, toolCaller, toolMaker }: PowersOptions): Powers {
  const secrets = createSecrets(createVault({ home }), home);
  return {
    files: createFiles(limits, { codeFolders }),
    network: createNetwork({ limits, secrets }),
    storage: createStorage(home, limits),
    secrets,
    process: createProcess(limits),
    tools: createTools(toolCaller, toolMaker, limits),
  };
}

/** Ends what the powers hold open. */
export async function closePowers({ files, network, storage, secrets, process, tools }: PowerSet): Promise<void> {
  for (const power of [files, network, storage, secrets, process, tools]) await power[Symbol.asyncDispose]();
}
