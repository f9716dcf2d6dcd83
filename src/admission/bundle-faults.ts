import type { Message } from "esbuild";
import { ADMISSION } from "../catalogue/texts.ts";
import { FOLDER, refusedIn, toRefusedReason, type Resolution } from "./bundle-plugin.ts";
import type { BundledTool } from "./bundle.ts";
import { hasOtherForm, packageOf } from "./package-forms.ts";
import type { Fault } from "./record.ts";
import { toNotFound } from "./resolve.ts";
import { quotable } from "./visible-text.ts";

/** One fault for each tool that reaches an error: the first, with the file and line it is in. */
export function attribute(errors: readonly Message[], tools: readonly BundledTool[], resolution: Resolution): Fault[] {
  const faults = new Map<string, Fault>();
  const sources = tools.map((tool) => tool.source);
  for (const error of errors) {
    const at = toPlace(error);
    const reason = toReason(error, resolution);
    const reaching = at === null ? sources : resolution.graph.entriesReaching(at.file, sources);
    for (const { file, source } of tools) {
      if (faults.has(file) || !reaching.includes(source)) continue;
      if (at === null || at.file === source) faults.set(file, { file, line: at?.line ?? null, reason });
      else faults.set(file, { file, line: null, reason: ADMISSION.throughImport(`${at.file}:${at.line}`, reason) });
    }
  }
  // An error that leads nowhere would otherwise be met again and again.
  const [first] = errors;
  if (faults.size === 0)
    return tools.map(({ file }) => ({ file, line: null, reason: first ? toReason(first, resolution) : ADMISSION.bundlerEnded }));
  return [...faults.values()];
}

/**
 * Looks for packages that have another form, on the way to a module that cannot be had, and takes the nearest one so. Tells
 * whether there is a new one: then it is worth another attempt.
 */
export function addForms(forms: Set<string>, errors: readonly Message[], resolution: Resolution): boolean {
  const before = forms.size;
  for (const error of errors) {
    const at = toPlace(error);
    if (at === null || toRefusal(error, at.file, resolution) === null) continue;
    for (const file of resolution.graph.reaching(at.file)) {
      const home = packageOf(file);
      if (forms.has(home) || !hasOtherForm(resolution.inputs, home)) continue;
      forms.add(home);
      break;
    }
  }
  return forms.size > before;
}

function toPlace({ location }: Message): { file: string; line: number } | null {
  const prefix = `${FOLDER}:`;
  return location?.file.startsWith(prefix) ? { file: location.file.slice(prefix.length), line: location.line } : null;
}

function toReason(error: Message, resolution: Resolution): string {
  const { text } = error;
  if (text.startsWith("Top-level await is")) return ADMISSION.topLevelAwait;
  const refusal = toRefusal(error, toPlace(error)?.file ?? "", resolution);
  if (refusal !== null) return refusal;
  const notFound = specifierIn(text);
  if (notFound !== undefined) return toNotFound(notFound);
  return quotable(text.replaceAll(/"(?:capability|toolcell):/g, '"'), 500);
}

/** The sentence for a module of Node's that cannot be had, or null where the error is another. */
function toRefusal({ text }: Message, file: string, resolution: Resolution): string | null {
  const specifier = specifierIn(text);
  const builtin = specifier === undefined ? undefined : refusedIn(resolution, file, specifier);
  return builtin === undefined || specifier === undefined ? null : toRefusedReason(builtin, file, specifier);
}

function specifierIn(text: string): string | undefined {
  return /^Could not resolve "(.*)"$/s.exec(text)?.[1];
}
