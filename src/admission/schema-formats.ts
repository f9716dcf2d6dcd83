/** A format that a schema may name, and the function that checks it in the cell. */
export interface Format {
  readonly type: "string" | "number";
  /** The file in `runtime-api/checks/`, and what it exports; null where every value of the type is right. */
  readonly check: Check | null;
}

export interface Check {
  readonly file: string;
  readonly name: string;
}

export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["date-time", text("date-time", "isDateTime")],
  ["date", text("date-time", "isDate")],
  ["time", text("date-time", "isTime")],
  ["duration", text("duration", "isDuration")],
  ["email", text("email", "isEmail")],
  ["idn-email", text("email", "isIdnEmail")],
  ["hostname", text("hostname", "isHostname")],
  ["idn-hostname", text("hostname", "isIdnHostname")],
  ["ipv4", text("address", "isIpv4")],
  ["ipv6", text("address", "isIpv6")],
  ["uri", text("uri", "isUri")],
  ["uri-reference", text("uri", "isUriReference")],
  ["iri", text("uri", "isIri")],
  ["iri-reference", text("uri", "isIriReference")],
  ["uri-template", text("uri-template", "isUriTemplate")],
  ["uuid", text("uuid", "isUuid")],
  ["json-pointer", text("json-pointer", "isJsonPointer")],
  ["relative-json-pointer", text("json-pointer", "isRelativeJsonPointer")],
  ["regex", text("regex", "isRegex")],
  // Not of JSON Schema itself: from ISO 8601, OpenAPI and schemas made by hand.
  ["iso-time", text("date-time", "isIsoTime")],
  ["iso-date-time", text("date-time", "isIsoDateTime")],
  ["url", text("uri", "isUrl")],
  ["byte", text("open-api", "isByte")],
  ["binary", { type: "string", check: null }],
  ["password", { type: "string", check: null }],
  ["int32", { type: "number", check: { file: "open-api", name: "isInt32" } }],
  ["int64", { type: "number", check: { file: "open-api", name: "isInt64" } }],
  ["float", { type: "number", check: null }],
  ["double", { type: "number", check: null }],
]);

function text(file: string, name: string): Format {
  return { type: "string", check: { file, name } };
}
