// What the engine does otherwise than the suite expects, each by name, with the reason.

export interface Exception {
  /** The file below the suite's `tests`. */
  readonly file: string;
  /** The descriptions of its schemas; of all where there are none. */
  readonly schemas?: readonly string[];
  readonly reason: string;
}

const REMOTE = "a $ref may only lead to a place in the same schema; nothing is ever fetched";
const DIALECT = "a dialect of the schema's own making would have to be fetched";
const KEYWORD = "an unknown keyword is a typing error more often than a note, and a note starts with x-";
const FORMAT = "an unknown format would pass over in silence what its author wants checked";
const NO_SCHEMA = "a $ref leads to a schema, and not into what an annotation holds";
const PROTO = "__proto__ is no key that a source or a call may hold";
const KNOWN = "a format that the engine knows is checked, whatever the dialect says: in a tool's schema it is no remark";
const ENCODED = "what a text encodes is for the tool to decode: contentEncoding and contentMediaType are for a reader";

/** Schemas that are refused when they are read, with a sentence that says so. */
export const REFUSED: readonly (Exception & { readonly sentence: RegExp })[] = [
  ...[
    { file: "draft7/definitions.json" },
    { file: "draft7/ref.json", schemas: ["remote ref, containing refs itself"] },
    { file: "draft7/refRemote.json" },
    { file: "draft7/optional/cross-draft.json", schemas: ["refs to future drafts are processed as future drafts"] },
    { file: "draft2020-12/defs.json" },
    {
      file: "draft2020-12/dynamicRef.json",
      schemas: [
        "strict-tree schema, guards against misspelled properties",
        "tests for implementation dynamic anchor and reference link",
        "$ref and $dynamicAnchor are independent of order - $defs first",
        "$ref and $dynamicAnchor are independent of order - $ref first",
        "$ref to $dynamicRef finds detached $dynamicAnchor",
      ],
    },
    { file: "draft2020-12/ref.json", schemas: ["remote ref, containing refs itself"] },
    { file: "draft2020-12/refRemote.json" },
    { file: "draft2020-12/optional/cross-draft.json" },
  ].map((exception) => ({ ...exception, sentence: /a \$ref may only lead to a place in the same schema/, reason: REMOTE })),
  ...["draft2020-12/vocabulary.json", "draft2020-12/optional/format-assertion.json"].map((file) => ({
    file,
    sentence: /names the dialect "http:\/\/localhost:1234\//,
    reason: DIALECT,
  })),
  ...["draft7/properties.json", "draft2020-12/properties.json"].map((file) => ({
    file,
    schemas: ["properties whose names are Javascript object property names"],
    sentence: /the key "__proto__"/,
    reason: PROTO,
  })),
  ...[
    { file: "draft7/optional/unknownKeyword.json" },
    { file: "draft2020-12/optional/unknownKeyword.json" },
    {
      file: "draft2020-12/optional/refOfUnknownKeyword.json",
      schemas: [
        "reference of a root arbitrary keyword ",
        "reference of a root arbitrary keyword with encoded ref",
        "reference of an arbitrary keyword of a sub-schema",
        "reference of an arbitrary keyword of a sub-schema with encoded ref",
      ],
    },
  ].map((exception) => ({ ...exception, sentence: /has the unknown keyword "/, reason: KEYWORD })),
  {
    file: "draft2020-12/optional/refOfUnknownKeyword.json",
    schemas: ["reference internals of known non-applicator"],
    sentence: /refers to "#\/examples\/0", which is not in the schema/,
    reason: NO_SCHEMA,
  },
  ...["draft7/optional/format/unknown.json", "draft2020-12/optional/format/unknown.json"].map((file) => ({
    file,
    sentence: /has the unknown format "unknown"/,
    reason: FORMAT,
  })),
];

/** Values for which a call ends otherwise than the suite expects. */
export const ANSWERED_OTHERWISE: readonly (Exception & { readonly tests: RegExp })[] = [
  { file: "draft2020-12/format.json", tests: /^invalid .* string is only an annotation by default$/, reason: KNOWN },
  ...["draft7/required.json", "draft2020-12/required.json"].map((file) => ({
    file,
    schemas: ["required properties whose names are Javascript object property names"],
    tests: /^all present$/,
    reason: PROTO,
  })),
  {
    file: "draft7/optional/content.json",
    tests: /^an invalid JSON document$|^an invalid base64 string|^a validly-encoded invalid JSON document$/,
    reason: ENCODED,
  },
];
