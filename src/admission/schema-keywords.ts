/** The two dialects of JSON Schema that a tool may use; which keyword holds a schema decides where it is walked. */
export type Dialect = "draft-07" | "2020-12";

export const DIALECT_URIS: ReadonlyMap<string, Dialect> = new Map([
  ["http://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
]);

/** The value is a schema. `items` may be an array of schemas as well. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ..."additionalItems additionalProperties contains contentSchema else if items not propertyNames then".split(" "),
  ..."unevaluatedItems unevaluatedProperties".split(" "),
]);

/** The value is an array of schemas. */
export const SCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set("allOf anyOf oneOf prefixItems".split(" "));

/** The value is an object whose values are schemas. */
export const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set(
  "properties patternProperties definitions $defs dependentSchemas dependencies".split(" "),
);

/** The value constrains, names or refers, and holds no schema. */
const OTHER_KEYWORDS: readonly string[] = [
  ..."type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern".split(" "),
  ..."maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required".split(" "),
  ..."dependentRequired format $ref $dynamicRef $dynamicAnchor $anchor $schema $id".split(" "),
];

/** The value is for a reader; nothing is checked by it. Some come from OpenAPI, where many schemas come from. */
const ANNOTATIONS: readonly string[] = [
  ..."title description default example examples deprecated readOnly writeOnly $comment".split(" "),
  ..."contentMediaType contentEncoding nullable discriminator xml externalDocs".split(" "),
];

export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  ...SCHEMA_KEYWORDS,
  ...SCHEMA_LIST_KEYWORDS,
  ...SCHEMA_MAP_KEYWORDS,
  ...OTHER_KEYWORDS,
  ...ANNOTATIONS,
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
