import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { parseHostEntry } from "../powers/host-entry.ts";
import { FileFault } from "./faults.ts";
import type { Constant } from "./literals.ts";
import { quotable } from "./visible-text.ts";

/** A fault without its place; the constant gives the line. */
type Check = (at: string, value: Json) => string | null;

const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** A program by its name; where it is, is the owner's to say. */
const PROGRAM = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ["network", checkList("an array of hosts", (at, value) => checkHost(at, value, true))],
  ["workspace", checkAccess],
  ["home", checkAccess],
  ["storage", checkBoolean],
  ["secrets", checkList("an array of { name, hosts, value }", checkSecret)],
  ["process", checkList("an array of program names", checkProgram)],
  ["wasm", checkBoolean],
  ["reason", checkReason],
]);

/** Holds PERMISSIONS to its form; what of it is granted is the owner's to say. Throws FileFault. */
export function assertPermissions({ value, line }: Constant): JsonObject {
  if (!isJsonObject(value)) throw new FileFault(ADMISSION.permissionShape("PERMISSIONS", "an object"), line);
  const fault = checkObject("PERMISSIONS", value, CHECKS);
  if (fault !== null) throw new FileFault(fault, line);
  return value;
}

/** What is wrong with permissions that come from elsewhere than a package's source, or null. */
export function findPermissionFault(value: JsonObject): string | null {
  return checkObject("permissions", value, CHECKS);
}

function checkObject(at: string, value: JsonObject, checks: ReadonlyMap<string, Check>): string | null {
  for (const [key, inner] of Object.entries(value)) {
    const check = checks.get(key);
    if (check === undefined) return ADMISSION.permissionUnknown(at, quotable(key), [...checks.keys()].join(", "));
    const fault = check(`${at}.${key}`, inner);
    if (fault !== null) return fault;
  }
  return null;
}

function checkList(wanted: string, checkItem: Check): Check {
  return (at, value) => {
    if (!Array.isArray(value)) return ADMISSION.permissionShape(at, wanted);
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const fault = checkItem(`${at}[${index}]`, item);
      if (fault !== null) return fault;
    }
    return null;
  };
}

function checkHost(at: string, value: Json, allowsPublic: boolean): string | null {
  if (typeof value !== "string") return ADMISSION.permissionShape(at, "a string");
  if (value === "public" && allowsPublic) return null;
  if (/^\*(?::\d*)?$/.test(value)) return ADMISSION.networkAll(at);
  const entry = parseHostEntry(value);
  return entry !== null && entry.kind !== "public" ? null : ADMISSION.networkEntry(at, quotable(value));
}

function checkAccess(at: string, value: Json): string | null {
  return value === "read" || value === "write" ? null : ADMISSION.permissionShape(at, '"read" or "write"');
}

function checkBoolean(at: string, value: Json): string | null {
  return typeof value === "boolean" ? null : ADMISSION.permissionShape(at, "true or false");
}

function checkSecret(at: string, value: Json): string | null {
  if (!isJsonObject(value)) return ADMISSION.permissionShape(at, "{ name, hosts }");
  const hosts = checkList("an array of hosts", (place, host) => checkHost(place, host, false));
  const fault = checkObject(
    at,
    value,
    new Map([
      ["name", checkSecretName],
      ["hosts", hosts],
      ["value", checkBoolean],
    ]),
  );
  if (fault !== null) return fault;
  if (value["name"] === undefined) return ADMISSION.permissionShape(`${at}.name`, "given");
  // A secret without hosts could be sent anywhere; one whose value is handed out need not be sent at all.
  const named = value["hosts"];
  if (value["value"] === true && (named === undefined || Array.isArray(named))) return null;
  return Array.isArray(named) && named.length > 0 ? null : ADMISSION.permissionShape(`${at}.hosts`, "an array of at least one host");
}

function checkSecretName(at: string, value: Json): string | null {
  return typeof value === "string" && SECRET_NAME.test(value)
    ? null
    : ADMISSION.permissionShape(at, 'a name of letters, digits and "_", as WEATHER_KEY');
}

function checkProgram(at: string, value: Json): string | null {
  return typeof value === "string" && PROGRAM.test(value) ? null : ADMISSION.permissionShape(at, 'the name of a program, as "git"');
}

function checkReason(at: string, value: Json): string | null {
  if (!isJsonObject(value)) return ADMISSION.permissionShape(at, "an object with a sentence for each permission");
  const sentence: Check = (place, text) => {
    if (typeof text !== "string" || text.trim() === "") return ADMISSION.permissionShape(place, "a sentence");
    return quotable(text, REASON_CHARS) === text
      ? null
      : ADMISSION.permissionShape(place, `a sentence of at most ${REASON_CHARS} visible characters`);
  };
  const names = [...CHECKS.keys()].filter((name) => name !== "reason");
  return checkObject(at, value, new Map(names.map((name) => [name, sentence])));
}

const REASON_CHARS = 500;
