import { isJsonObject, toList, type Json, type JsonObject } from "../catalogue/json.ts";

/** Which items or properties of a value a schema speaks of where it holds: those are evaluated, and no `unevaluated…` looks at them. */
export interface Evaluated<Part> {
  readonly isAll: boolean;
  /** What it speaks of by itself. */
  readonly own: Part | null;
  /** What schemas speak of that hold wherever this one does. */
  readonly always: readonly Evaluated<Part>[];
  readonly cases: readonly Case<Part>[];
}

/** What is spoken of where a schema holds for the value, or where a property is there, and what where not. */
export interface Case<Part> {
  readonly when: { readonly schema: Json } | { readonly property: string };
  readonly ifSo: Evaluated<Part>;
  readonly ifNot: Evaluated<Part>;
}

export interface PartReader<Part> {
  readonly unevaluated: "unevaluatedItems" | "unevaluatedProperties";
  readOwn(schema: JsonObject): Part | "all" | null;
}

/** What a linked schema speaks of beside its own `unevaluated…`, each `$ref` followed: none comes back to itself in place. */
export function readEvaluated<Part>(
  outermost: JsonObject,
  reader: PartReader<Part>,
  follow: (reference: Json | undefined) => Json | undefined,
): Evaluated<Part> {
  const nothing: Evaluated<Part> = { isAll: false, own: null, always: [], cases: [] };

  function read(schema: Json | undefined): Evaluated<Part> {
    if (schema === undefined || !isJsonObject(schema)) return nothing;
    const own = reader.readOwn(schema);
    if (own === "all" || (schema !== outermost && schema[reader.unevaluated] !== undefined)) return { ...nothing, isAll: true };
    const always = [...toList(schema["allOf"]), follow(schema["$ref"])].map(read);
    return { isAll: false, own, always: always.filter(speaks), cases: readCases(schema) };
  }

  function readCases(schema: JsonObject): readonly Case<Part>[] {
    const { anyOf, oneOf, dependentSchemas, if: condition } = schema;
    const branches = [...toList(anyOf), ...toList(oneOf)].map((branch) => ({
      when: { schema: branch },
      ifSo: read(branch),
      ifNot: nothing,
    }));
    const dependents = Object.entries(isJsonObject(dependentSchemas) ? dependentSchemas : {}).map(([property, inner]) => ({
      when: { property },
      ifSo: read(inner),
      ifNot: nothing,
    }));
    const cases: Case<Part>[] = [...branches, ...dependents];
    if (condition !== undefined) {
      const ifSo = { ...nothing, always: [read(condition), read(schema["then"])].filter(speaks) };
      cases.push({ when: { schema: condition }, ifSo, ifNot: read(schema["else"]) });
    }
    return cases.filter(({ ifSo, ifNot }) => speaks(ifSo) || speaks(ifNot));
  }

  return read(outermost);
}

function speaks<Part>({ isAll, own, always, cases }: Evaluated<Part>): boolean {
  return isAll || own !== null || always.length > 0 || cases.length > 0;
}
