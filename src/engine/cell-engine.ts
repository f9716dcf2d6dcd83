import { setImmediate } from "node:timers/promises";
import { defineTools, type ToolDefinitions, type ToolKind } from "../adapters/definitions.ts";
import type { OfferedTool } from "../adapters/offered.ts";
import { toPrompt } from "../adapters/prompt.ts";
import { toTextCall, type DefinitionOptions } from "../adapters/text-call.ts";
import type { Admission } from "../admission/admission.ts";
import { commandOf, isCommand, moduleOf } from "../admission/adapted.ts";
import { GrantError } from "../catalogue/faults.ts";
import type { Json, JsonObject } from "../catalogue/json.ts";
import { GRANTS, USE } from "../catalogue/texts.ts";
import { closePowers } from "../powers/create.ts";
import type { MadeTool, RefreshedTools, WriteOptions } from "../creation/tool-creation.ts";
import type { SecretOwner } from "../powers/secrets/secrets.ts";
import type { Capability, Found, Skipped } from "../registry/registry.ts";
import { assertStartable } from "../registry/plugins-start.ts";
import { Call, type CallParts } from "./call.ts";
import { assertCallOptions, type CallOptions } from "./call-options.ts";
import type { CallTarget } from "./call-target.ts";
import { cleanLine } from "./clean.ts";
import type { Engine } from "./engine.ts";
import { EVENT_NAMES, type EventName, type Listener } from "./events.ts";
import { EngineJobs } from "./engine-jobs.ts";
import type { JobEntry, JobsFilter, JobWaitOptions, Submission, SubmitOptions, WorkOptions } from "./job-entry.ts";
import { toCapabilityEntry, toOfferedTool, toToolEntry, type CapabilityEntry, type ToolEntry } from "./listing.ts";
import type { Settings } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { createParts, type EngineParts } from "./parts.ts";
import { Slots } from "./slots.ts";
import { consultPolicy } from "./succession.ts";
import { noCommand, unknownTool } from "./unknown-tool.ts";

/** An engine whose capabilities run in cells. */
export class CellEngine implements Engine {
  readonly #parts: EngineParts;
  readonly #callParts: CallParts;
  readonly #jobs: EngineJobs;
  #isStrict: boolean;
  #closing: Promise<void> | null = null;

  /** `isStrict`: the first refresh rejects with RegistryError for what no engine should start with. */
  constructor(settings: Settings, admission: Admission, tester: string | null, isStrict: boolean) {
    this.#isStrict = isStrict;
    const callFor = (tool: string, args: JsonObject, signal: AbortSignal): Promise<Json> => this.#callFor(tester ?? "", tool, args, signal);
    this.#parts = createParts(settings, admission, tester === null ? null : { capability: tester, call: callFor });
    const { limits } = settings;
    const { cells, log } = this.#parts;
    this.#callParts = { slots: new Slots(limits.callCount, limits.queueCount), cells, log, targetOf: (tool) => this.#targetOf(tool) };
    this.#jobs = new EngineJobs({
      settings,
      log,
      find: (tool) => this.#find(tool),
      capability: (name) => this.#parts.sources.registry.capability(name),
      unknownTool: (tool) => unknownTool(this.#parts.sources.registry, tool),
      call: (tool, args, options) => this.call(tool, args, options),
    });
    cells.warm();
  }

  get secrets(): SecretOwner {
    return this.#parts.powers.secrets.owner;
  }

  tools(): readonly ToolEntry[] {
    this.#parts.switching.look();
    return this.#parts.sources.registry.tools().map(toToolEntry);
  }

  toolDefinitions<Kind extends ToolKind>(kind: Kind, options: DefinitionOptions = {}): ToolDefinitions[Kind] {
    assertCallOptions(options);
    const call = toTextCall((tool, args, callOptions) => this.call(tool, args, callOptions), options);
    return defineTools(kind, this.#offered(), call) as ToolDefinitions[Kind];
  }

  promptText(): string {
    return toPrompt(this.#offered(), this.#parts.settings.limits);
  }

  capabilities(): readonly CapabilityEntry[] {
    this.#parts.switching.look();
    return this.#parts.sources.registry.capabilities.map((capability) =>
      toCapabilityEntry(capability, this.#parts.grants, this.#parts.cells.quarantinedMs(capability.record.name)),
    );
  }

  skipped(): readonly Skipped[] {
    this.#parts.switching.look();
    return this.#parts.sources.registry.skipped;
  }

  async call(tool: string, args?: unknown, options: CallOptions = {}): Promise<Outcome> {
    this.#assertOpen();
    assertCallOptions(options);
    this.#parts.switching.look();
    // What takes a command line whole is nobody's tool to call.
    const target = isCommand(tool) ? null : this.#targetOf(tool);
    const outcome =
      target === null
        ? unknownTool(this.#parts.sources.registry, String(tool))
        : await new Call(this.#callParts, target, options).run(args);
    // Whoever tries again and again, such as until a tool is there, must not keep the event loop from what brings it.
    if (outcome.error?.started === false) await setImmediate();
    return outcome;
  }

  async runCli(module: string, argv: readonly string[], options: CallOptions = {}): Promise<Outcome> {
    this.#assertOpen();
    assertCallOptions(options);
    this.#parts.switching.look("now");
    const target = this.#targetOf(commandOf(String(module)));
    return target === null
      ? noCommand(this.#parts.sources.registry, String(module))
      : await new Call(this.#callParts, target, options).run({ argv: argv.map(String) });
  }

  async submit(tool: string, args?: unknown, options: SubmitOptions = {}): Promise<Submission> {
    this.#assertOpen();
    return this.#jobs.submit(String(tool), args, options);
  }

  jobs(filter: JobsFilter = {}): readonly JobEntry[] {
    this.#assertOpen();
    return this.#jobs.list(filter);
  }

  job(id: string): JobEntry | null {
    this.#assertOpen();
    return this.#jobs.find(id);
  }

  async cancelJob(id: string): Promise<JobEntry> {
    this.#assertOpen();
    return this.#jobs.cancel(id);
  }

  async waitForJob(id: string, options: JobWaitOptions = {}): Promise<JobEntry> {
    this.#assertOpen();
    return await this.#jobs.waitFor(id, options);
  }

  async work(options: WorkOptions = {}): Promise<void> {
    this.#assertOpen();
    await this.#jobs.work(options);
  }

  async refresh(): Promise<void> {
    this.#assertOpen();
    await this.#parts.sources.scan("all");
    // Once it runs, what is wrong with one source is no reason to take the others away.
    if (this.#isStrict) assertStartable(this.#parts.sources.registry);
    this.#isStrict = false;
    // A thousand watches take as long as a thousand folders: whoever asks what there is waits for the folders alone.
    this.#startWatching();
    const { grant } = this.#parts.settings.policy;
    if (grant !== undefined) await consultPolicy(this.#parts.grants, grant, this.#parts.sources.registry.capabilities, this.#parts.log);
    const { grants, switches, agent } = this.#parts;
    if (this.#parts.settings.work) this.#jobs.workBeside();
    for (const fault of [grants.fault(), switches.fault(), agent.fault()]) if (fault !== null) this.#parts.log("error", fault);
  }

  async writeTool(name: string, code: string, options: WriteOptions = {}): Promise<MadeTool> {
    this.#assertOpen();
    return await this.#parts.creation.write(name, code, options);
  }

  async shareTool(name: string): Promise<MadeTool> {
    this.#assertOpen();
    return await this.#parts.creation.share(name);
  }

  async refreshTools(): Promise<RefreshedTools> {
    this.#assertOpen();
    return await this.#parts.creation.refresh();
  }

  async grant(name: string, permissions?: JsonObject): Promise<void> {
    await this.#parts.grants.grant(this.#capabilityOf(name).record, permissions ?? null);
  }

  async revoke(name: string): Promise<void> {
    await this.#parts.grants.revoke(this.#capabilityOf(name).record);
  }

  async enable(name: string): Promise<void> {
    await this.#parts.switches.set(this.#capabilityOf(name).record, true);
    this.#parts.switching.look("now");
  }

  async disable(name: string): Promise<void> {
    await this.#parts.switches.set(this.#capabilityOf(name).record, false);
    this.#parts.switching.look("now");
  }

  async trust(name: string): Promise<void> {
    const { folder, record } = this.#capabilityOf(name, "untrusted");
    // What the folder holds now, which may be what was not taken for want of trust.
    await this.#parts.switches.trust((await this.#parts.sources.look(folder)) ?? record);
    this.#parts.switching.look("now");
    await this.#parts.sources.read(folder);
  }

  async untrust(name: string): Promise<void> {
    await this.#parts.switches.untrust(this.#capabilityOf(name, "untrusted").record.name);
    this.#parts.switching.look("now");
  }

  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    if (!EVENT_NAMES.some((known) => known === name)) throw new TypeError(USE.unknownEvent(String(name), EVENT_NAMES));
    if (typeof listener !== "function") throw new TypeError(USE.notFunction("listener"));
    return this.#parts.listeners.on(name, listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    // What it runs is written down while there still is what runs it.
    await this.#jobs.close();
    this.#parts.switching.close();
    const { watching, lister, sources, cells, admission, powers } = this.#parts;
    await watching.close();
    await Promise.all([lister.close(), sources.close(), cells.close(), admission.close()]);
    await closePowers(powers);
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw new TypeError(USE.closed);
  }

  #startWatching(): void {
    const { settings, watching, switching, sources } = this.#parts;
    if (!settings.watch || watching.hasBegun) return;
    switching.keepLooking();
    watching.begin(sources);
  }

  // A test of the tests would wait for itself.
  async #callFor(tester: string, tool: string, args: JsonObject, signal: AbortSignal): Promise<Json> {
    const isOwn = this.#parts.sources.registry.find(tool)?.capability.record.name === tester;
    const outcome = isOwn ? unknownTool(this.#parts.sources.registry, tool) : await this.call(tool, args, { signal });
    return JSON.parse(JSON.stringify(outcome)) as Json;
  }

  #offered(): readonly OfferedTool[] {
    this.#parts.switching.look();
    return this.#parts.sources.registry.tools().map(toOfferedTool);
  }

  #find(tool: string): Found | null {
    this.#parts.switching.look();
    return isCommand(tool) ? null : (this.#parts.sources.registry.find(tool) ?? null);
  }

  #targetOf(tool: string): CallTarget | null {
    const { registry } = this.#parts.sources;
    const found: Found | null | undefined = isCommand(tool) ? registry.command(moduleOf(tool)) : registry.find(tool);
    return found === undefined || found === null ? null : this.#parts.targets.ofTool(found);
  }

  #capabilityOf(name: string, which: "taken" | "untrusted" = "taken"): Capability {
    const { registry } = this.#parts.sources;
    const found =
      registry.capability(name) ??
      (which === "taken" ? undefined : registry.capabilities.find(({ record }) => record.name === name && record.refused === null));
    if (found === undefined) throw new GrantError("UNKNOWN_CAPABILITY", GRANTS.unknownCapability(cleanLine(name, 64)));
    return found;
  }
}
