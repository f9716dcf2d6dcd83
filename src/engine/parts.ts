import type { Admission } from "../admission/admission.ts";
import type { Json, JsonObject } from "../catalogue/json.ts";
import { OUTCOME } from "../catalogue/texts.ts";
import { Cells } from "../cell/cells.ts";
import { createPowers, type Powers } from "../powers/create.ts";
import { ToolCreation } from "../creation/tool-creation.ts";
import { createToolMaker } from "../creation/tool-maker.ts";
import { AgentPermissions } from "../registry/agent-permissions.ts";
import { Decisions } from "../registry/decisions.ts";
import { Grants } from "../registry/grants.ts";
import type { Lister } from "../registry/lister.ts";
import { kindOf, nameOf } from "../registry/found.ts";
import { SourceReader } from "../registry/source-reader.ts";
import { Sources } from "../registry/sources.ts";
import { Switches } from "../registry/switches.ts";
import { Targets } from "./call-target.ts";
import { createCellEvents, createTrouble, type Trouble } from "./cell-events.ts";
import { Listeners } from "./events.ts";
import { createLister } from "./listing-runs.ts";
import { createLog, type Log } from "./log.ts";
import type { Settings } from "./options.ts";
import { capabilityRoots, codeFolders } from "./places.ts";
import { createSuccession } from "./succession.ts";
import { Switching } from "./switching.ts";
import { Watching } from "./watching.ts";

/** What an engine is made of. */
export interface EngineParts {
  readonly settings: Settings;
  readonly admission: Admission;
  readonly log: Log;
  readonly listeners: Listeners;
  readonly trouble: Trouble;
  readonly cells: Cells;
  readonly powers: Powers;
  readonly grants: Grants;
  readonly switches: Switches;
  readonly agent: AgentPermissions;
  readonly lister: Lister;
  readonly reader: SourceReader;
  readonly sources: Sources;
  readonly targets: Targets;
  readonly switching: Switching;
  readonly watching: Watching;
  readonly creation: ToolCreation;
}

/** Calls a tool for the tests of a capability. */
export interface Tester {
  readonly capability: string;
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<Json>;
}

export function createParts(settings: Settings, admission: Admission, tester: Tester | null): EngineParts {
  const { home, limits, policy } = settings;
  const toolMaker = settings.agentDir === null ? null : createToolMaker(() => creation);
  const powers = createPowers({
    home,
    limits,
    codeFolders: () => [...codeFolders(settings), ...sources.packageFolders],
    toolCaller: tester,
    toolMaker,
  });
  const log = createLog(home, settings.log);
  const listeners = new Listeners((name, error) =>
    log("error", OUTCOME.listenerThrew(name), { detail: error instanceof Error ? (error.stack ?? "") : String(error) }),
  );
  const trouble = createTrouble(log, listeners);
  const cells = new Cells(limits, createCellEvents(log, listeners, trouble, limits.logChars), policy);
  const grants = new Grants(home);
  const switches = new Switches(home);
  const agent = new AgentPermissions(settings.agentDir);
  const decisions = new Decisions(switches, agent);
  const onUnloadFault: ConstructorParameters<typeof Targets>[0]["onUnloadFault"] = (event) => listeners.emit("unloadFailed", event);
  const targets = new Targets({ settings, admission, powers, grants, log, onUnloadFault });
  const watching = new Watching(settings, trouble);
  const lister = createLister(settings, admission, log);
  const reader = new SourceReader({
    admission,
    lister,
    whyNot: (found) => decisions.decided().whyNot({ kind: kindOf(found), capability: nameOf(found), source: found.source }),
    onListed: (path) => void sources.read(path).catch((error: unknown) => trouble(OUTCOME.reloadFailed, error)),
  });
  const follow = (folder: string, files: readonly string[]): void => watching.follow(folder, files);
  const sources: Sources = new Sources({
    roots: capabilityRoots(settings),
    limits,
    admit: (found) => reader.read(found),
    inputsOf: (path) => admission.inputsOf(path),
    decided: decisions.decided(),
    succession: createSuccession({ cells, targets, grants, policy: policy.grant, listeners, log, follow }),
  });
  const creation: ToolCreation = new ToolCreation({
    agentDir: settings.agentDir,
    home,
    limits,
    agent,
    reader,
    sources,
  });
  const switching = new Switching({ decisions, sources, cells, listeners, trouble });
  return {
    settings,
    admission,
    log,
    listeners,
    trouble,
    cells,
    powers,
    grants,
    switches,
    agent,
    lister,
    reader,
    sources,
    targets,
    switching,
    watching,
    creation,
  };
}
