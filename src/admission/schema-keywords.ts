/** The two dialects of JSON Schema that a tool may use; which keyword holds a schema decides where it is walked. */
export type Dialect = "draft-07" | "2020-12";

export const DIALECT_URIS: ReadonlyMap<string, Dialect> = new Map([
  ["http://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
]);

/** The value is a schema. In draft-07 `items` may be an array of schemas as well. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ..."additionalItems additionalProperties contains contentSchema else if items not propertyNames then".split(" "),
  ..."unevaluatedItems unevaluatedProperties".split(" "),
]);

/** The value is an array of schemas. */
export const SCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set("allOf anyOf oneOf prefixItems".split(" "));

/** The value is an object whose values are schemas. In `dependencies` they may be lists of names as well. */
export const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set(
  "properties patternProperties definitions $defs dependentSchemas dependencies".split(" "),
);

/** What the value of a keyword has to be that constrains, names or refers, and holds no schema. */
export type ValueKind =
  | "type"
  | "number"
  | "positive number"
  | "count"
  | "boolean"
  | "string"
  | "pattern"
  | "format"
  | "list"
  | "list of names"
  | "lists of names"
  | "anchor"
  | "any";

export const VALUE_KEYWORDS: ReadonlyMap<string, ValueKind> = new Map<string, ValueKind>([
  ["type", "type"],
  ["enum", "list"],
  ["const", "any"],
  ["multipleOf", "positive number"],
  ["maximum", "number"],
  ["exclusiveMaximum", "number"],
  ["minimum", "number"],
  ["exclusiveMinimum", "number"],
  ["maxLength", "count"],
  ["minLength", "count"],
  ["pattern", "pattern"],
  ["format", "format"],
  ["maxItems", "count"],
  ["minItems", "count"],
  ["uniqueItems", "boolean"],
  ["maxContains", "count"],
  ["minContains", "count"],
  ["maxProperties", "count"],
  ["minProperties", "count"],
  ["required", "list of names"],
  ["dependentRequired", "lists of names"],
  ["$ref", "any"],
  ["$dynamicRef", "any"],
  ["$dynamicAnchor", "anchor"],
  ["$anchor", "anchor"],
  ["$schema", "string"],
  ["$id", "string"],
  // For a reader: nothing is checked by these. Some come from OpenAPI, where many schemas come from.
  ["title", "string"],
  ["description", "string"],
  ["$comment", "string"],
  ["default", "any"],
  ["example", "any"],
  ["examples", "any"],
  ["deprecated", "boolean"],
  ["readOnly", "boolean"],
  ["writeOnly", "boolean"],
  ["contentMediaType", "string"],
  ["contentEncoding", "string"],
  ["nullable", "boolean"],
  ["discriminator", "any"],
  ["xml", "any"],
  ["externalDocs", "any"],
]);

export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  ...SCHEMA_KEYWORDS,
  ...SCHEMA_LIST_KEYWORDS,
  ...SCHEMA_MAP_KEYWORDS,
  ...VALUE_KEYWORDS.keys(),
]);

/** Keywords that only one dialect knows; the other would pass over them in silence. */
export const DIALECT_KEYWORDS: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  ["prefixItems", "2020-12"],
  ["unevaluatedItems", "2020-12"],
  ["unevaluatedProperties", "2020-12"],
  ["dependentSchemas", "2020-12"],
  ["dependentRequired", "2020-12"],
  ["minContains", "2020-12"],
  ["maxContains", "2020-12"],
  ["$dynamicRef", "2020-12"],
  ["$dynamicAnchor", "2020-12"],
  ["additionalItems", "draft-07"],
]);

/** `$async` makes a validator answer late, `$data` lets arguments rewrite the schema. */
export const FORBIDDEN_KEYWORDS: ReadonlySet<string> = new Set(["$async", "$data", "$recursiveRef", "$recursiveAnchor", "$vocabulary"]);
