import { OUTCOME } from "../catalogue/texts.ts";
import { StartError } from "../cell/call-end.ts";
import type { Cell } from "../cell/cell.ts";
import type { Cells } from "../cell/cells.ts";
import type { GrantPolicy, Grants } from "../registry/grants.ts";
import type { Capability } from "../registry/registry.ts";
import type { Succession } from "../registry/sources.ts";
import type { Targets } from "./call-target.ts";
import { cleanText } from "./clean.ts";
import type { Listeners } from "./events.ts";
import type { Log } from "./log.ts";

export interface SuccessionParts {
  readonly cells: Cells;
  readonly targets: Targets;
  readonly grants: Grants;
  readonly policy: GrantPolicy | undefined;
  readonly listeners: Listeners;
  readonly log: Log;
  readonly follow: (folder: string, files: readonly string[]) => void;
}

/** One version of a capability after the other: the next one's cell is made ready beside the one that serves, then they change places. */
export function createSuccession({ cells, targets, grants, policy, listeners, log, follow }: SuccessionParts): Succession {
  /** What was made ready aside, by the record that it was made of. */
  const ready = new WeakMap<Capability["record"], Cell>();

  async function prepare(next: Capability, before: Capability | null): Promise<string | null> {
    if (policy !== undefined) await consultPolicy(grants, policy, [next], log);
    if (before === null || !next.isEnabled) return null;
    try {
      const names = next.tools.map(({ name }) => name);
      const cell = await cells.prepareNext(targets.of(next).plan, names);
      if (cell !== null) ready.set(next.record, cell);
      return null;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      // Whatever else kept it from starting says nothing of the new code.
      return error.code === "LOAD_FAILED" ? OUTCOME.loadFailed(cleanText(error.message)) : null;
    }
  }

  function succeed(next: Capability, before: Capability | null): void {
    const capability = next.record.name;
    if (next.refused !== null) {
      if (before !== null && before.refused === null) cells.release(capability);
      listeners.emit("refused", { capability, reason: next.refused });
      return;
    }
    cells.succeed(targets.of(next).plan, ready.get(next.record) ?? null);
    const tools = namesOf(next);
    if (before === null || before.refused !== null) return listeners.emit("added", { capability, tools });
    const oldTools = namesOf(before);
    listeners.emit("reloaded", {
      capability,
      tools,
      addedTools: tools.filter((name) => !oldTools.includes(name)),
      removedTools: oldTools.filter((name) => !tools.includes(name)),
    });
  }

  function keep(serving: Capability, reason: string): void {
    log("warn", OUTCOME.kept(serving.record.name, reason), { capability: serving.record.name });
    listeners.emit("kept", { capability: serving.record.name, reason });
  }

  function release(gone: Capability): void {
    if (gone.refused === null) cells.release(gone.record.name);
    listeners.emit("removed", { capability: gone.record.name });
  }

  return { prepare, succeed, keep, release, follow };
}

/** Asks an embedder's policy about these capabilities. Where it throws, nothing is given, and the owner's log says so. */
export async function consultPolicy(grants: Grants, policy: GrantPolicy, capabilities: readonly Capability[], log: Log): Promise<void> {
  const taken = capabilities.filter(({ refused }) => refused === null);
  await grants.consult(policy, taken, (name, error) => {
    log("error", OUTCOME.policyThrew(name), {
      capability: name,
      detail: error instanceof Error ? (error.stack ?? "") : String(error),
    });
  });
}

function namesOf({ tools }: Capability): readonly string[] {
  return tools.map(({ name }) => name);
}
