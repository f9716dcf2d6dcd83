import type { Json, JsonObject } from "../catalogue/json.ts";
import { ADAPTED } from "../catalogue/texts.ts";
import type { AdaptedEntry, AdaptedSource, EntryListing, ListedTool } from "./adapted.ts";
import { FileFault, FolderRefusal } from "./faults.ts";
import type { AdmissionLimits } from "./limits.ts";
import { assertProfile, NO_PROFILE } from "./profile.ts";
import type { Fault, ToolProfile } from "./record.ts";
import { assertInputSchema } from "./schema.ts";
import { isToolName } from "./tool-name.ts";
import { compileValidators, type Validators } from "./validators.ts";
import { assertVisibleText, quotable } from "./visible-text.ts";

/** A listed tool that was held to its form. */
export interface CheckedTool {
  /** Which of the source's entries it is of. */
  readonly entry: number;
  readonly label: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly validators: Validators;
  readonly profile: ToolProfile;
}

/** The faults that a source may tell of itself: the words are a stranger's, and so is their number. */
const FAULT_COUNT = 100;
const FAULT_CHARS = 500;

/** What a listing came to: each tool that is in order, and a sentence for each that is not. Throws FolderRefusal for too many. */
export function readListed(
  source: AdaptedSource,
  listing: readonly EntryListing[],
  limits: AdmissionLimits,
): { readonly checked: readonly CheckedTool[]; readonly faults: readonly Fault[] } {
  const checked: CheckedTool[] = [];
  const faults: Fault[] = [];
  for (const [index, entry] of source.entries.entries()) {
    const listed = listing[index];
    if (listed === undefined) continue;
    if ("failed" in listed) {
      faults.push({ file: entry.label, line: listed.line, reason: listed.failed });
      continue;
    }
    if (checked.length + listed.tools.length > limits.toolCount) throw new FolderRefusal(ADAPTED.toolCount(limits.toolCount));
    for (const { name, reason } of listed.faults.slice(0, FAULT_COUNT))
      faults.push({ file: labelOf(source, entry, name), line: null, reason: quotable(reason, FAULT_CHARS) });
    for (const tool of listed.tools) {
      const label = labelOf(source, entry, tool.name);
      try {
        checked.push({ entry: index, label, ...check(source, entry, tool, limits) });
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        faults.push({ file: label, line: null, reason: error.message });
      }
    }
  }
  return withoutTwice(checked, faults);
}

function labelOf({ kind }: AdaptedSource, { label }: AdaptedEntry, name: string | null): string {
  return kind === "package" || name === null || name === "" ? label : `${label}#${quotable(name)}`;
}

type Checked = Omit<CheckedTool, "entry" | "label">;

function check(source: AdaptedSource, entry: AdaptedEntry, tool: ListedTool, limits: AdmissionLimits): Checked {
  const name = assertName(source, entry, tool.name);
  const description = assertVisibleText("Its description", { value: tool.description, line: 1 }, limits.descriptionChars);
  const schema = assertInputSchema(tool.inputSchema, limits);
  const profile = isAbsent(tool.profile) ? NO_PROFILE : assertProfile(tool.profile, null);
  return { name, description, inputSchema: schema.inputSchema, validators: compileValidators(schema), profile };
}

function isAbsent(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function assertName({ kind, name: module }: AdaptedSource, { key }: AdaptedEntry, name: string): string {
  if (!isToolName(name)) throw new FileFault(ADAPTED.toolName(quotable(name)));
  if (kind === "package") {
    if (name !== key) throw new FileFault(ADAPTED.otherKey(quotable(key), name));
  } else if (!isOfModule(module, name)) {
    throw new FileFault(ADAPTED.otherModule(name, module));
  }
  return name;
}

/** `{tool}_{action}`, or the module's own name; a "-" of a file's name may be a "_" in that of a tool. */
function isOfModule(module: string, name: string): boolean {
  return [module, module.replaceAll("-", "_")].some((prefix) => name === prefix || name.startsWith(`${prefix}_`));
}

/** Of two tools of one name neither wins. */
function withoutTwice(checked: readonly CheckedTool[], faults: readonly Fault[]): ReturnType<typeof readListed> {
  const counts = new Map<string, number>();
  for (const { name } of checked) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isTwice = ({ name }: CheckedTool): boolean => (counts.get(name) ?? 0) > 1;
  const twice = new Map(
    checked.filter(isTwice).map(({ name, label }) => [label, { file: label, line: null, reason: ADAPTED.twice(name) }]),
  );
  return { checked: checked.filter((tool) => !isTwice(tool)), faults: [...faults, ...twice.values()] };
}
