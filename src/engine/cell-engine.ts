import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Admission } from "../admission/admission.ts";
import { GrantError } from "../catalogue/faults.ts";
import type { Json, JsonObject } from "../catalogue/json.ts";
import { GRANTS, OUTCOME, USE } from "../catalogue/texts.ts";
import type { Death } from "../cell/cell-process.ts";
import { Cells } from "../cell/cells.ts";
import { closePowers, createPowers, type Powers } from "../powers/create.ts";
import type { SecretOwner } from "../powers/secrets/secrets.ts";
import { Grants } from "../registry/grants.ts";
import type { Capability, Skipped } from "../registry/registry.ts";
import { Sources } from "../registry/sources.ts";
import { Switches } from "../registry/switches.ts";
import { watchFolders, type Watcher } from "../reload/watcher.ts";
import { Call, type CallParts } from "./call.ts";
import { assertCallOptions, type CallOptions } from "./call-options.ts";
import { Targets, type CallTarget } from "./call-target.ts";
import { cleanLine } from "./clean.ts";
import type { Engine } from "./engine.ts";
import { EVENT_NAMES, Listeners, type EventName, type Listener } from "./events.ts";
import { toCapabilityEntry, toToolEntry, type CapabilityEntry, type ToolEntry } from "./listing.ts";
import { createLog, type Log } from "./log.ts";
import type { Settings } from "./options.ts";
import { failedOutcome, type Outcome } from "./outcome.ts";
import { Slots } from "./slots.ts";
import { capabilityRoots } from "./places.ts";
import { consultPolicy, createSuccession } from "./succession.ts";
import { Switching } from "./switching.ts";

/** An engine whose capabilities run in cells. */
export class CellEngine implements Engine {
  readonly #settings: Settings;
  readonly #admission: Admission;
  readonly #log: Log;
  readonly #cells: Cells;
  readonly #powers: Powers;
  readonly #grants: Grants;
  readonly #switches: Switches;
  readonly #sources: Sources;
  readonly #targets: Targets;
  readonly #switching: Switching;
  readonly #listeners: Listeners;
  readonly #callParts: CallParts;
  #watcher: Watcher | null = null;
  #closing: Promise<void> | null = null;

  constructor(settings: Settings, admission: Admission, tester: string | null) {
    this.#settings = settings;
    this.#admission = admission;
    const { home, limits, policy } = settings;
    this.#powers = createPowers({
      home,
      limits,
      codeFolders: capabilityRoots(settings).map(({ path }) => path),
      toolCaller: tester === null ? null : { capability: tester, call: (tool, args, signal) => this.#callFor(tester, tool, args, signal) },
    });
    this.#grants = new Grants(home);
    this.#switches = new Switches(home);
    this.#log = createLog(home, settings.log);
    const log = this.#log;
    this.#listeners = new Listeners((name, error) =>
      log("error", OUTCOME.listenerThrew(name), { detail: error instanceof Error ? (error.stack ?? "") : String(error) }),
    );
    this.#cells = new Cells(
      limits,
      {
        onStart: (capability) => this.#listeners.emit("started", { capability }),
        onDeath: (capability, death) => this.#onDeath(capability, death),
        onQuarantine: (capability, ms) => this.#onQuarantine(capability, ms),
        onLine: (capability, level, line) => log(level, cleanLine(line, limits.logChars), { capability }),
        // A way around a cell that stopped working is told, never taken in silence.
        onWeaker: (message) => this.#onTrouble(message),
      },
      policy,
    );
    this.#targets = new Targets({
      settings,
      admission,
      powers: this.#powers,
      grants: this.#grants,
      log,
      onUnloadFault: (event) => this.#listeners.emit("unloadFailed", event),
    });
    this.#sources = new Sources({
      roots: capabilityRoots(settings),
      admission,
      decided: this.#switches.decided(),
      succession: createSuccession({
        cells: this.#cells,
        targets: this.#targets,
        grants: this.#grants,
        policy: policy.grant,
        listeners: this.#listeners,
        log,
        follow: (folder, files) => this.#watcher?.follow(folder, files),
      }),
    });
    this.#switching = new Switching({ switches: this.#switches, sources: this.#sources, cells: this.#cells, listeners: this.#listeners });
    const slots = new Slots(limits.callCount, limits.queueCount);
    this.#callParts = { slots, cells: this.#cells, log, targetOf: (tool) => this.#targetOf(tool) };
    this.#cells.warm();
  }

  get secrets(): SecretOwner {
    return this.#powers.secrets.owner;
  }

  tools(): readonly ToolEntry[] {
    this.#switching.look();
    return this.#sources.registry.tools().map(toToolEntry);
  }

  capabilities(): readonly CapabilityEntry[] {
    this.#switching.look();
    return this.#sources.registry.capabilities.map((capability) =>
      toCapabilityEntry(capability, this.#grants, this.#cells.quarantinedMs(capability.record.name)),
    );
  }

  skipped(): readonly Skipped[] {
    this.#switching.look();
    return this.#sources.registry.skipped;
  }

  async call(tool: string, args?: unknown, options: CallOptions = {}): Promise<Outcome> {
    this.#assertOpen();
    assertCallOptions(options);
    this.#switching.look();
    const target = this.#targetOf(tool);
    const outcome = target === null ? this.#unknownTool(String(tool)) : await new Call(this.#callParts, target, options).run(args);
    // Whoever tries again and again, such as until a tool is there, must not keep the event loop from what brings it.
    if (outcome.error?.started === false) await setImmediate();
    return outcome;
  }

  async refresh(): Promise<void> {
    this.#assertOpen();
    await this.#sources.scan("all");
    // A thousand watches take as long as a thousand folders: whoever asks what there is waits for the folders alone.
    this.#startWatching();
    const { grant } = this.#settings.policy;
    if (grant !== undefined) await consultPolicy(this.#grants, grant, this.#sources.registry.capabilities, this.#log);
    for (const fault of [this.#grants.fault(), this.#switches.fault()]) if (fault !== null) this.#log("error", fault);
  }

  async grant(name: string, permissions?: JsonObject): Promise<void> {
    await this.#grants.grant(this.#capabilityOf(name).record, permissions ?? null);
  }

  async revoke(name: string): Promise<void> {
    await this.#grants.revoke(this.#capabilityOf(name).record.name);
  }

  async enable(name: string): Promise<void> {
    await this.#switches.set(this.#capabilityOf(name).record, true);
    this.#switching.look("now");
  }

  async disable(name: string): Promise<void> {
    await this.#switches.set(this.#capabilityOf(name).record, false);
    this.#switching.look("now");
  }

  async trust(name: string): Promise<void> {
    const { folder, isShipped } = this.#capabilityOf(name, "untrusted");
    // What the folder holds now, which may be what was not taken for want of trust.
    await this.#switches.trust(await this.#admission.admit(folder, { shipped: isShipped }));
    this.#switching.look("now");
    await this.#sources.read(folder);
  }

  async untrust(name: string): Promise<void> {
    await this.#switches.untrust(this.#capabilityOf(name, "untrusted").record.name);
    this.#switching.look("now");
  }

  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    if (!EVENT_NAMES.some((known) => known === name)) throw new TypeError(USE.unknownEvent(String(name), EVENT_NAMES));
    if (typeof listener !== "function") throw new TypeError(USE.notFunction("listener"));
    return this.#listeners.on(name, listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#switching.close();
    await this.#watcher?.close();
    await Promise.all([this.#sources.close(), this.#cells.close(), this.#admission.close()]);
    await closePowers(this.#powers);
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw new TypeError(USE.closed);
  }

  #startWatching(): void {
    const { watch, limits } = this.#settings;
    if (!watch || this.#watcher !== null) return;
    this.#switching.keepLooking();
    // What is shipped changes with the engine alone.
    const roots = capabilityRoots(this.#settings).filter(({ isShipped }) => !isShipped);
    const report = (error: unknown): void => this.#onTrouble(OUTCOME.reloadFailed, error);
    this.#watcher = watchFolders(roots, limits, {
      onFolder: (folder) => void this.#sources.read(folder).catch(report),
      onRoot: () => void this.#sources.scan("new").catch(report),
      onTrouble: (_path, message) => this.#onTrouble(message),
    });
    // What was written before all was watched is told by nobody.
    void this.#watcher.ready.then(() => this.#sources.scan("all")).catch(report);
  }

  // A test of the tests would wait for itself.
  async #callFor(tester: string, tool: string, args: JsonObject, signal: AbortSignal): Promise<Json> {
    const isOwn = this.#sources.registry.find(tool)?.capability.record.name === tester;
    const outcome = isOwn ? this.#unknownTool(tool) : await this.call(tool, args, { signal });
    return JSON.parse(JSON.stringify(outcome)) as Json;
  }

  #targetOf(tool: string): CallTarget | null {
    const found = this.#sources.registry.find(tool);
    return found === undefined ? null : this.#targets.ofTool(found);
  }

  #capabilityOf(name: string, which: "taken" | "untrusted" = "taken"): Capability {
    const { registry } = this.#sources;
    const found =
      registry.capability(name) ??
      (which === "taken" ? undefined : registry.capabilities.find(({ record }) => record.name === name && record.refused === null));
    if (found === undefined) throw new GrantError("UNKNOWN_CAPABILITY", GRANTS.unknownCapability(cleanLine(name, 64)));
    return found;
  }

  #unknownTool(name: string): Outcome {
    const { registry } = this.#sources;
    const claimants = registry.claimants(name);
    const tool = cleanLine(name, 64);
    const known = registry.tools().map((found) => found.tool.name);
    const message = claimants === undefined ? OUTCOME.unknownTool(tool, known) : OUTCOME.collision(tool, claimants);
    const usage = { wallMs: 0, queueMs: 0, startMs: 0, cpuMs: 0, heapBytes: 0, powerCalls: 0, bytesIn: 0, bytesOut: 0 };
    return failedOutcome({ tool, capability: null, callId: randomUUID() }, { code: "UNKNOWN_TOOL", message, started: false }, usage);
  }

  #onDeath(capability: string, { killedFor, signal, exitCode, stderr }: Death): void {
    if (killedFor === "closed") return;
    if (killedFor === "done") return this.#listeners.emit("stopped", { capability });
    const how = killedFor ?? signal ?? `exit code ${exitCode ?? "unknown"}`;
    this.#log("warn", OUTCOME.cellEnded(capability, how), { capability, detail: stderr });
    this.#listeners.emit("crashed", { capability, how });
  }

  #onQuarantine(capability: string, ms: number): void {
    this.#log("warn", OUTCOME.quarantined(capability, ms), { capability });
    this.#listeners.emit("quarantined", { capability, ms });
  }

  #onTrouble(message: string, error?: unknown): void {
    this.#log("warn", message, error instanceof Error ? { detail: error.stack ?? error.message } : {});
    this.#listeners.emit("trouble", { message });
  }
}
