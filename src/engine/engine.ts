import type { ToolDefinitions, ToolKind } from "../adapters/definitions.ts";
import type { DefinitionOptions } from "../adapters/text-call.ts";
import { createAdmission } from "../admission/admission.ts";
import type { JsonObject } from "../catalogue/json.ts";
import type { MadeTool, RefreshedTools, WriteOptions } from "../creation/tool-creation.ts";
import type { SecretOwner } from "../powers/secrets/secrets.ts";
import type { Skipped } from "../registry/registry.ts";
import type { CallOptions } from "./call-options.ts";
import { CellEngine } from "./cell-engine.ts";
import type { EventName, Listener } from "./events.ts";
import type { JobEntry, JobsFilter, JobWaitOptions, Submission, SubmitOptions, WorkOptions } from "./job-entry.ts";
import type { CapabilityEntry, ToolEntry } from "./listing.ts";
import { readLimits, readOptions, type EngineOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { cachePlaces } from "./places.ts";

/** Runs tools, each capability sealed in a cell of its own. */
export interface Engine extends AsyncDisposable {
  /** Every tool that can be called, sorted by name. */
  tools(): readonly ToolEntry[];
  /** Every capability found, with what is broken or refused and why. */
  capabilities(): readonly CapabilityEntry[];
  /**
   * The same tools as a protocol or a library takes them: "openai", "anthropic", "mcp", "langchain", "ai-sdk". The last two can be
   * called, with `options` for their calls, and resolve with the text for the model whatever became of it. All of it is the
   * caller's own. Throws TypeError for another kind.
   *
   * @example
   * const { text } = await generateText({ model, prompt, tools: engine.toolDefinitions("ai-sdk"), stopWhen: isStepCount(5) });
   */
  toolDefinitions<Kind extends ToolKind>(kind: Kind, options?: DefinitionOptions): ToolDefinitions[Kind];
  /**
   * The same tools as text, for a model that has nothing but its prompt, and how it writes a call: as `parseAction` reads it.
   * Empty where there is no tool.
   */
  promptText(): string;
  /** Everything that was not taken, with its reason. */
  skipped(): readonly Skipped[];
  /**
   * Calls a tool with a JSON object. Resolves with an outcome whatever the tool, its package or the model did. Throws
   * TypeError or RangeError for options that make no sense, and for a closed engine.
   */
  call(tool: string, args?: unknown, options?: CallOptions): Promise<Outcome>;
  /**
   * Hands a tool module a command line whole: its `cliMain(argv)`. What it prints is the outcome's text; an exit code other than
   * 0 is a failure. Resolves and throws as `call` does.
   */
  runCli(module: string, argv: readonly string[], options?: CallOptions): Promise<Outcome>;
  /**
   * Puts a call into the queue of the home, for a worker to make: `toolcell work`, `engine.work`, or an engine with `work: true`.
   * The tool has to say that it runs in the background. Resolves with the job, which may be one that is there already: see `key`.
   * Rejects with JobError, whose `code` says why it is not taken; throws as `call` does for options that make no sense.
   *
   * @example
   * const { id } = await engine.submit("index_folder", { path: "docs" });
   * const { state, outcome } = await engine.waitForJob(id);
   */
  submit(tool: string, args?: unknown, options?: SubmitOptions): Promise<Submission>;
  /** Jobs of the home, whoever submitted them, the newest first. Throws JobError where their file cannot be used. */
  jobs(filter?: JobsFilter): readonly JobEntry[];
  /** One job with its whole outcome; null where there is none, or not any more. */
  job(id: string): JobEntry | null;
  /** Ends a job that waits; has one that runs given up, in whichever process that is. Rejects with JobError. */
  cancelJob(id: string): Promise<JobEntry>;
  /** Resolves with a job once it has ended, whatever came of it. Rejects with JobError, or the signal's reason. */
  waitForJob(id: string, options?: JobWaitOptions): Promise<JobEntry>;
  /** Runs jobs that wait for this workspace, beside any other worker of the home. Resolves when it is told to end. Never rejects for what a job did. */
  work(options?: WorkOptions): Promise<void>;
  /**
   * Gives a capability what is named, or all that it asks for; what it had before is replaced. Rejects with GrantError,
   * whose `code` says why: an unknown capability, a permission in no form, one that is not asked for, a damaged file.
   */
  grant(capability: string, permissions?: JsonObject): Promise<void>;
  /** Switches a capability on. Rejects with GrantError. */
  enable(capability: string): Promise<void>;
  /** Switches a capability off: its tools are in no listing, its calls in flight end as they would, its cell after them. Rejects with GrantError. */
  disable(capability: string): Promise<void>;
  /** Lets a capability that asks for `RUNTIME = "worker"` have it, for the code that it has now. Rejects with GrantError. */
  trust(capability: string): Promise<void>;
  /** Takes that back. Rejects with GrantError. */
  untrust(capability: string): Promise<void>;
  /** Calls `listener` at each event of that name. Returns what takes it off again. Throws TypeError for a name that is none. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  /** The vault: what tools may use and never see. No value comes back out of it. */
  readonly secrets: SecretOwner;
  /** Takes back all that a capability was granted, from the next operation on, in running cells too. Rejects with GrantError. */
  revoke(capability: string): Promise<void>;
  /**
   * Writes a tool module of the agent's own, and takes it. Rejects with ToolCreationError, whose `code` says why:
   * `InvalidArguments` for a name or code that would not be taken, `PermissionDenied` by its permissions.json, `FileExists`.
   */
  writeTool(name: string, code: string, options?: WriteOptions): Promise<MadeTool>;
  /** Copies a tool of the agent's own to where every agent finds it. Rejects with ToolCreationError, `FileNotFound` too. */
  shareTool(name: string): Promise<MadeTool>;
  /** As `refresh`, and says which tool modules there are and what was not taken. */
  refreshTools(): Promise<RefreshedTools>;
  /** Reads every source again; new code takes over as it does when it is saved. Calls in flight end as they began. */
  refresh(): Promise<void>;
  /** Ends every cell; calls in flight end as CANCELLED. May be called twice. */
  close(): Promise<void>;
}

/**
 * Makes an engine over the shipped capabilities, those in `<home>/capabilities` and those in `options.capabilities`, which are
 * read and not run, and over modules and packages, whose tools are listed sealed. Rejects with RegistryError for what it does not
 * start with: two packages that register one tool, or a shipped capability that is broken.
 *
 * @example
 * await using engine = await createEngine({ workspace: "." });
 * const outcome = await engine.call("text_stats", { text: "a b c" });
 * console.log(outcome.text);
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return await startEngine(options, null);
}

/** As `createEngine`, for `toolcell test`: one capability, which holds the tests, may call the tools of the others. */
export async function createTestEngine(options: EngineOptions, tester: string): Promise<Engine> {
  return await startEngine(options, tester);
}

/** As `createEngine`, for whoever sets right what another does not start with: two packages that register one tool. */
export async function createRepairEngine(options: EngineOptions): Promise<Engine> {
  return await startEngine(options, null, false);
}

async function startEngine(options: EngineOptions, tester: string | null, isStrict = true): Promise<Engine> {
  const settings = readOptions(options);
  const admission = createAdmission({ ...cachePlaces(settings.home), limits: settings.limits, shippedLimits: readLimits({}) });
  try {
    // A spare starts while the sources are read: the first call waits for neither.
    const engine = new CellEngine(settings, admission, tester, isStrict);
    try {
      await engine.refresh();
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  } catch (error) {
    await admission.close();
    throw error;
  }
}
