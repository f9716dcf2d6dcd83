import { FAULTS } from "../../src/catalogue/texts.ts";
import { isArray, min, slice, toJson } from "./intrinsics.ts";

/** A finding of a compiled validator, in the form that ajv gives it. */
export interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

// No sentence quotes more of an argument or a schema than this.
const QUOTED_CHARS = 120;

/** Every finding as one sentence that says what to change, at most `count` of them, one a line. */
export function faultText(findings: readonly Finding[], args: unknown, count: number): string {
  let text = "";
  let told = 0;
  let left = 0;
  for (let index = 0; index < findings.length; index += 1) {
    const finding = findings[index];
    // The branches of an anyOf or oneOf that failed each leave findings of their own; the branching keyword says it once.
    if (finding === undefined || finding.keyword === "if" || isBranchDetail(finding, findings)) continue;
    if (told < count) text += `${told === 0 ? "" : "\n"}${sentence(finding, args)}.`;
    else left += 1;
    told += 1;
  }
  return left === 0 ? text : `${text}\n${FAULTS.more(left)}.`;
}

function isBranchDetail(finding: Finding, findings: readonly Finding[]): boolean {
  const path = (finding as { schemaPath?: unknown }).schemaPath;
  if (typeof path !== "string") return false;
  for (let index = 0; index < findings.length; index += 1) {
    const other = findings[index];
    if (other === undefined || other === finding || (other.keyword !== "anyOf" && other.keyword !== "oneOf")) continue;
    const branch = (other as { schemaPath?: unknown }).schemaPath;
    if (typeof branch === "string" && path.length > branch.length && slice(path, 0, branch.length + 1) === `${branch}/`) return true;
  }
  return false;
}

function sentence(finding: Finding, args: unknown): string {
  return FAULTS.at(pathOf(finding.instancePath), predicate(finding, args));
}

// A switch, not a look-up: a keyword is a word that the package's own validator wrote.
function predicate({ keyword, instancePath, params, message }: Finding, args: unknown): string {
  switch (keyword) {
    case "required":
    case "dependentRequired":
    case "dependencies":
      return instancePath === ""
        ? FAULTS.required(quoted(params["missingProperty"]))
        : FAULTS.requiredIn(quoted(params["missingProperty"]));
    case "additionalProperties":
      return FAULTS.unknown(quoted(params["additionalProperty"]));
    case "unevaluatedProperties":
      return FAULTS.unknown(quoted(params["unevaluatedProperty"]));
    case "type":
      return FAULTS.type(typeNames(params["type"]), nameOfType(valueAt(instancePath, args)));
    case "enum":
      return FAULTS.oneOf(listed(params["allowedValues"]));
    case "const":
      return FAULTS.constant(quotedJson(params["allowedValue"]));
    case "format":
      return FAULTS.format(quoted(params["format"]));
    case "pattern":
      return FAULTS.pattern(quoted(params["pattern"]));
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return FAULTS.bound(quoted(params["comparison"]), quotedJson(params["limit"]));
    case "multipleOf":
      return FAULTS.multipleOf(quotedJson(params["multipleOf"]));
    case "minLength":
      return FAULTS.minLength(params["limit"] as number);
    case "maxLength":
      return FAULTS.maxLength(params["limit"] as number);
    case "minItems":
      return FAULTS.minItems(params["limit"] as number);
    case "maxItems":
      return FAULTS.maxItems(params["limit"] as number);
    case "uniqueItems":
      return FAULTS.unique(min(params["i"] as number, params["j"] as number), params["i"] as number);
    case "anyOf":
      return FAULTS.anyOf;
    case "oneOf":
      return FAULTS.oneOfForms;
    case "not":
      return FAULTS.not;
    default:
      return FAULTS.other(quoted(message ?? keyword));
  }
}

// `/items/0/name` as `items[0].name`: how a model writes it.
function pathOf(pointer: string): string {
  let path = "";
  let part = "";
  let isNumber = true;
  for (let index = 1; index <= pointer.length; index += 1) {
    const unit = index < pointer.length ? (pointer[index] ?? "/") : "/";
    if (unit !== "/") {
      part += unit;
      isNumber &&= unit >= "0" && unit <= "9";
      continue;
    }
    if (part !== "") path += isNumber ? `[${part}]` : path === "" ? unescape(part) : `.${unescape(part)}`;
    part = "";
    isNumber = true;
  }
  return slice(path, 0, QUOTED_CHARS);
}

// JSON Pointer (RFC 6901): `~1` stands for `/`, `~0` for `~`.
function unescape(part: string): string {
  let text = "";
  for (let index = 0; index < part.length; index += 1) {
    const isEscape = part[index] === "~" && (part[index + 1] === "0" || part[index + 1] === "1");
    text += isEscape ? (part[index + 1] === "1" ? "/" : "~") : (part[index] ?? "");
    if (isEscape) index += 1;
  }
  return text;
}

function valueAt(pointer: string, args: unknown): unknown {
  let value = args;
  let part = "";
  for (let index = 1; index <= pointer.length; index += 1) {
    const unit = index < pointer.length ? (pointer[index] ?? "/") : "/";
    if (unit !== "/") {
      part += unit;
      continue;
    }
    if (part !== "" && typeof value === "object" && value !== null) value = (value as Record<string, unknown>)[unescape(part)];
    part = "";
  }
  return value;
}

function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

function typeNames(type: unknown): string {
  if (!isArray(type)) return withArticle(quoted(type));
  let text = "";
  for (let index = 0; index < type.length; index += 1) text += (index === 0 ? "" : " or ") + withArticle(quoted(type[index]));
  return text;
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return type === "array" || type === "object" || type === "integer" ? `an ${type}` : `a ${type}`;
}

function listed(values: unknown): string {
  if (!isArray(values)) return "";
  let text = "";
  for (let index = 0; index < values.length && text.length < QUOTED_CHARS * 4; index += 1)
    text += (index === 0 ? "" : ", ") + quotedJson(values[index]);
  return text;
}

function quotedJson(value: unknown): string {
  return quoted(toJson(value) ?? "");
}

function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : `${value as number}`;
  return text.length <= QUOTED_CHARS ? text : `${slice(text, 0, QUOTED_CHARS)}…`;
}
