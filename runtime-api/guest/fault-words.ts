import { FAULTS } from "../../src/catalogue/texts.ts";
import { isArray, min, slice, toJson } from "./intrinsics.ts";

/** A finding of a compiled validator, in the form that ajv gives it. */
export interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The name of a property that is not right, where the finding is of the name and not of a value. */
  readonly propertyName?: string;
}

// No sentence quotes more of an argument or a schema than this.
const QUOTED_CHARS = 120;

/** What is wrong with the value. A switch, not a look-up: a keyword is a word that the package's own validator wrote. */
export function predicate({ keyword, instancePath, params, message }: Finding, value: unknown): string {
  switch (keyword) {
    case "required":
      return instancePath === ""
        ? FAULTS.required(quoted(params["missingProperty"]))
        : FAULTS.requiredIn(quoted(params["missingProperty"]));
    case "dependentRequired":
      return FAULTS.requiredWith(quoted(params["missingProperty"]), quoted(params["property"]));
    case "additionalProperties":
      return FAULTS.unknown(quoted(params["additionalProperty"]));
    case "unevaluatedProperties":
      return FAULTS.unknown(quoted(params["unevaluatedProperty"]));
    case "type":
      return FAULTS.type(typeNames(params["type"]), nameOfType(value));
    case "enum":
      return FAULTS.oneOf(listed(params["allowedValues"]));
    case "const":
      return FAULTS.constant(quotedJson(params["allowedValue"]));
    case "format":
      return FAULTS.format(quoted(params["format"]), exampleOf(params["format"]));
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
    // The schema of what comes after the first items allows none.
    case "items":
      return FAULTS.maxItems(params["limit"] as number);
    case "uniqueItems":
      return FAULTS.unique(min(params["i"] as number, params["j"] as number), params["i"] as number);
    case "unevaluatedItems":
      return FAULTS.item((params["index"] as number) + 1);
    case "contains":
      return FAULTS.contains(params["minContains"] as number, params["maxContains"] as number | undefined);
    case "minProperties":
      return FAULTS.minProperties(params["limit"] as number);
    case "maxProperties":
      return FAULTS.maxProperties(params["limit"] as number);
    case "false schema":
      return FAULTS.never;
    case "not":
      return FAULTS.not;
    default:
      return FAULTS.other(quoted(message ?? keyword));
  }
}

/** Of formats that are easily mistaken for another way to write the same. */
function exampleOf(format: unknown): string | null {
  switch (format) {
    case "date-time":
      return "2026-01-31T09:30:00Z";
    case "date":
      return "2026-01-31";
    case "time":
      return "09:30:00Z";
    case "duration":
      return "P1DT2H";
    case "uri":
    case "iri":
    case "url":
      return "https://example.com/path";
    case "uuid":
      return "123e4567-e89b-12d3-a456-426614174000";
    case "json-pointer":
      return "/items/0";
    default:
      return null;
  }
}

/** `/items/0/name` as `items[0].name`: how a model writes it. */
export function pathOf(pointer: string): string {
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

export function valueAt(pointer: string, args: unknown): unknown {
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

export function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : `${value as number}`;
  return text.length <= QUOTED_CHARS ? text : `${slice(text, 0, QUOTED_CHARS)}…`;
}
