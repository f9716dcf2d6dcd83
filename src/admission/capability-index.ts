import { isJsonObject, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { readBindings, type Bindings } from "./bindings.ts";
import { FileFault } from "./faults.ts";
import type { AdmissionLimits } from "./limits.ts";
import { readConstant, type Constant } from "./literals.ts";
import { parseSource } from "./parse.ts";
import { assertPermissions } from "./permissions.ts";
import type { CapabilityRecord, DeclaredLimits, Fault } from "./record.ts";
import type { SourceFile } from "./source-file.ts";
import { assertVisibleText, quotable } from "./visible-text.ts";

/** What an index says of its capability; null where it says nothing. */
export type IndexDeclaration = Pick<
  CapabilityRecord,
  "description" | "version" | "license" | "homepage" | "permissions" | "runtime" | "limits" | "internal" | "required" | "ignored"
> & { readonly label: string | null };

export const NO_INDEX: IndexDeclaration = {
  label: null,
  description: "",
  version: null,
  license: null,
  homepage: null,
  permissions: null,
  runtime: "isolate",
  limits: {},
  internal: false,
  required: false,
  ignored: [],
};

const LIMIT_NAMES = ["callMs", "cpuMs", "memoryBytes", "resultBytes", "concurrency"] as const satisfies readonly (keyof DeclaredLimits)[];

/** Reads an index. Throws FileFault for the first thing that is wrong with it: then the whole capability is not taken. */
export function readIndex(source: SourceFile, file: string, isShipped: boolean, limits: AdmissionLimits): IndexDeclaration {
  const bindings = readBindings(parseSource(source.file, source.bytes));
  const read = <T>(name: string, assert: (constant: Constant) => T): T | null => {
    const constant = readConstant(bindings, name, limits);
    return constant === null ? null : assert(constant);
  };
  const text = (name: string): string | null => read(name, (constant) => assertVisibleText(name, constant, limits.descriptionChars));
  return {
    label: text("LABEL"),
    description: text("DESCRIPTION") ?? NO_INDEX.description,
    version: text("VERSION"),
    license: text("LICENSE"),
    homepage: read("HOMEPAGE", (constant) => assertHomepage(constant, limits.descriptionChars)),
    permissions: read("PERMISSIONS", assertPermissions),
    runtime: read("RUNTIME", assertRuntime) ?? NO_INDEX.runtime,
    limits: read("LIMITS", assertLimits) ?? NO_INDEX.limits,
    // A package's own are not even read: they have no effect, whatever they hold.
    internal: isShipped && (read("INTERNAL", (constant) => assertBoolean("INTERNAL", constant)) ?? false),
    required: isShipped && (read("REQUIRED", (constant) => assertBoolean("REQUIRED", constant)) ?? false),
    ignored: isShipped ? [] : listReserved(bindings, file),
  };
}

function listReserved({ exported }: Bindings, file: string): Fault[] {
  return ["INTERNAL", "REQUIRED"].flatMap((name) => {
    const found = exported.get(name);
    return found === undefined ? [] : [{ file, line: found.line, reason: ADMISSION.reserved(name) }];
  });
}

function assertHomepage(constant: Constant, maxChars: number): string {
  const homepage = assertVisibleText("HOMEPAGE", constant, maxChars);
  const { protocol } = URL.parse(homepage) ?? {};
  if (protocol !== "https:" && protocol !== "http:") throw new FileFault(ADMISSION.homepage(quotable(homepage)), constant.line);
  return homepage;
}

function assertRuntime({ value, line }: Constant): "isolate" | "worker" {
  if (value !== "isolate" && value !== "worker") throw new FileFault(ADMISSION.runtime, line);
  return value;
}

function assertBoolean(name: string, { value, line }: Constant): boolean {
  if (typeof value !== "boolean") throw new FileFault(ADMISSION.wrongType(name, "true or false"), line);
  return value;
}

function assertLimits({ value, line }: Constant): DeclaredLimits {
  if (!isJsonObject(value)) throw new FileFault(ADMISSION.wrongType("LIMITS", "an object"), line);
  assertLimitNames(value, line);
  const limits: Partial<Record<keyof DeclaredLimits, number>> = {};
  for (const name of LIMIT_NAMES) {
    const limit = value[name];
    if (limit === undefined) continue;
    if (typeof limit !== "number" || !Number.isSafeInteger(limit) || limit <= 0) throw new FileFault(ADMISSION.limitValue(name), line);
    limits[name] = limit;
  }
  return limits;
}

function assertLimitNames(value: JsonObject, line: number): void {
  const known: readonly string[] = LIMIT_NAMES;
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new FileFault(ADMISSION.limitUnknown(quotable(unknown), known.join(", ")), line);
}

/** What a package says of itself, held to the form of an index. Throws FileFault. */
export function readManifest(manifest: JsonObject, limits: AdmissionLimits): IndexDeclaration {
  const read = <T>(key: string, assert: (name: string, constant: Constant) => T): T | null => {
    const value = Object.hasOwn(manifest, key) ? manifest[key] : undefined;
    return value === undefined ? null : assert(key.toUpperCase(), { value, line: 1 });
  };
  const text = (name: string, constant: Constant): string => assertVisibleText(name, constant, limits.descriptionChars);
  return {
    ...NO_INDEX,
    label: read("label", text),
    description: read("description", text) ?? NO_INDEX.description,
    version: read("version", text),
    license: read("license", text),
    homepage: read("homepage", (_name, constant) => assertHomepage(constant, limits.descriptionChars)),
    permissions: read("permissions", (_name, constant) => assertPermissions(constant)),
    limits: read("limits", (_name, constant) => assertLimits(constant)) ?? NO_INDEX.limits,
  };
}
