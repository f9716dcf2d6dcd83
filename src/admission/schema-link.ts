import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, VALUE_KEYWORDS } from "./schema-keywords.ts";
import { findPlaces, type Place, type Places, type Resource } from "./schema-places.ts";
import { escapePointer } from "./schema-walk.ts";

/**
 * A schema as it is compiled: in the words of 2020-12 whatever it was written in, without what only a reader needs, and
 * with `$ref` as the one way to refer, to `#` or to `#/$defs/<number>`.
 */
export interface LinkedSchema {
  readonly root: JsonObject;
  readonly defs: readonly Json[];
}

export interface LinkOptions {
  /** As draft-07 has it: beside a `$ref` nothing counts. */
  readonly ignoresSiblings: boolean;
  /** By how many schemas the whole may grow. */
  readonly maxGrowth: number;
}

/** What the `$ref` of a linked schema leads to; undefined where there is none. */
export function followLink(reference: Json | undefined, { root, defs }: LinkedSchema): Json | undefined {
  if (typeof reference !== "string") return undefined;
  return reference === "#" ? root : defs[Number(reference.slice(DEF_PREFIX.length))];
}

const DEF_PREFIX = "#/$defs/";

/** What dynamic anchors mean at a place: of each name the first that was entered on the way there. */
type Scope = ReadonlyMap<string, Place>;

/** Keywords of which nothing is left: for a reader, names, and what others have taken up. */
const DROPPED: ReadonlySet<string> = new Set([
  ..."$defs definitions contentSchema $ref $dynamicRef $anchor $dynamicAnchor $id $schema".split(" "),
  ..."title description $comment example examples deprecated readOnly writeOnly".split(" "),
  ..."contentMediaType contentEncoding discriminator xml externalDocs nullable dependencies additionalItems".split(" "),
]);

/** Keywords whose schemas say what is evaluated where they hold. */
const ASKED: ReadonlySet<string> = new Set(["anyOf", "oneOf", "if", "contains"]);

/** Follows every reference in a schema that has been walked. Throws FileFault for one that leads out of it. */
export function linkSchema(schema: JsonObject, options: LinkOptions): LinkedSchema {
  return new Linker(findPlaces(schema, options.ignoresSiblings), options).link();
}

class Linker {
  readonly #places: Places;
  readonly #options: LinkOptions;
  readonly #start: Scope;
  readonly #isDynamic: boolean;
  readonly #isUnevaluatedUsed: boolean;
  readonly #numbers = new Map<string, number>();
  readonly #referred: { readonly place: Place; readonly scope: Scope }[] = [];
  #copiedCount = 0;

  constructor(places: Places, options: LinkOptions) {
    this.#places = places;
    this.#options = options;
    this.#isDynamic = places.uses("$dynamicRef");
    this.#isUnevaluatedUsed = places.uses("unevaluatedItems", "unevaluatedProperties");
    this.#start = this.#enter(new Map(), places.root.resource);
  }

  link(): LinkedSchema {
    const root = this.#copy(this.#places.root, this.#start);
    const defs: Json[] = [];
    // Copying one may add others to the end.
    for (const { place, scope } of this.#referred) defs.push(this.#copy(place, scope));
    return { root: isJsonObject(root) ? root : {}, defs };
  }

  #copy(place: Place, scope: Scope): Json {
    const { ignoresSiblings, maxGrowth } = this.#options;
    this.#copiedCount += 1;
    if (this.#copiedCount > this.#places.count + maxGrowth) throw new FileFault(ADMISSION.schemaRefs(maxGrowth));
    const { schema } = place;
    if (!isJsonObject(schema)) return schema;
    const { $ref, $dynamicRef } = schema;
    const copy: Record<string, Json> = $ref !== undefined && ignoresSiblings ? {} : this.#copyKeywords(schema, place.at, scope);
    if ($ref !== undefined) copy["$ref"] = this.#refer(this.#places.resolve($ref, place), scope);
    if ($dynamicRef !== undefined) addTo(copy, { $ref: this.#referDynamically($dynamicRef, place, scope) });
    return copy;
  }

  #copyKeywords(schema: JsonObject, at: string, scope: Scope): Record<string, Json> {
    const copy: Record<string, Json> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (DROPPED.has(key) || key.startsWith("x-")) continue;
      if (Array.isArray(value) && (SCHEMA_LIST_KEYWORDS.has(key) || key === "items")) {
        copy[key === "items" ? "prefixItems" : key] = value.map((_, index) => this.#copyFor(key, `${at}/${key}/${index}`, scope));
      } else if (isJsonObject(value) && SCHEMA_MAP_KEYWORDS.has(key)) copy[key] = this.#copyMap(value, `${at}/${key}`, scope);
      else if (SCHEMA_KEYWORDS.has(key)) copy[key] = this.#copyFor(key, `${at}/${key}`, scope);
      else if (VALUE_KEYWORDS.has(key)) copy[key] = value;
    }
    this.#translate(schema, copy, at, scope);
    return copy;
  }

  /** What 2020-12 says in other words than draft-07 or OpenAPI, and an enum of nothing, which no value fits. */
  #translate(schema: JsonObject, copy: Record<string, Json>, at: string, scope: Scope): void {
    const { items, additionalItems, dependencies, nullable, type = [], enum: values } = schema;
    if (Array.isArray(items) && additionalItems !== undefined) copy["items"] = this.#copyAt(`${at}/additionalItems`, scope);
    if (nullable === true) copy["type"] = [...new Set([type, "null"].flat())];
    if (Array.isArray(values) && values.length === 0) {
      delete copy["enum"];
      addTo(copy, false);
    }
    if (!isJsonObject(dependencies)) return;
    const lists = Object.entries(dependencies).filter(([, value]) => Array.isArray(value));
    const schemas = Object.entries(dependencies).filter(([, value]) => !Array.isArray(value));
    copy["dependentRequired"] = { ...toObject(copy["dependentRequired"]), ...Object.fromEntries(lists) };
    const copied = this.#copyMap(Object.fromEntries(schemas), `${at}/dependencies`, scope);
    copy["dependentSchemas"] = { ...toObject(copy["dependentSchemas"]), ...copied };
  }

  #copyMap(schemas: JsonObject, at: string, scope: Scope): JsonObject {
    const names = Object.keys(schemas);
    return Object.fromEntries(names.map((name) => [name, this.#copyAt(`${at}/${escapePointer(name)}`, scope)]));
  }

  #copyFor(keyword: string, at: string, scope: Scope): Json {
    const place = this.#places.at(at);
    const isAskedTwice = this.#isUnevaluatedUsed && ASKED.has(keyword);
    // Whether it holds is asked by its own keyword and by one outside: each level would be compiled twice as often.
    if (!isAskedTwice || place === undefined || !mentionsUnevaluated(place.schema)) return this.#copyAt(at, scope);
    return { $ref: this.#refer(place, scope) };
  }

  #copyAt(at: string, scope: Scope): Json {
    const place = this.#places.at(at);
    return place === undefined ? true : this.#copy(place, this.#enter(scope, place.resource));
  }

  /** Unless it leads to a dynamic anchor it is a `$ref`. */
  #referDynamically(reference: Json, from: Place, scope: Scope): string {
    const target = this.#places.resolve(reference, from);
    const anchor = isJsonObject(target.schema) ? target.schema["$dynamicAnchor"] : undefined;
    const isNamed = typeof anchor === "string" && typeof reference === "string" && reference.endsWith(`#${anchor}`);
    if (!isNamed) return this.#refer(target, scope);
    return this.#refer(this.#enter(scope, target.resource).get(anchor) ?? target, scope);
  }

  #refer(place: Place, from: Scope): string {
    const scope = this.#enter(from, place.resource);
    if (place === this.#places.root && toKey(place, scope) === toKey(place, this.#start)) return "#";
    const key = toKey(place, scope);
    const number = this.#numbers.get(key) ?? this.#referred.push({ place, scope }) - 1;
    this.#numbers.set(key, number);
    return `${DEF_PREFIX}${number}`;
  }

  #enter(scope: Scope, { dynamicAnchors }: Resource): Scope {
    if (!this.#isDynamic) return scope;
    const fresh = [...dynamicAnchors].filter(([name]) => !scope.has(name));
    return fresh.length === 0 ? scope : new Map([...scope, ...fresh]);
  }
}

function mentionsUnevaluated(schema: Json): boolean {
  return JSON.stringify(schema).includes('"unevaluated');
}

function addTo(copy: Record<string, Json>, schema: Json): void {
  copy["allOf"] = [...(Array.isArray(copy["allOf"]) ? (copy["allOf"] as readonly Json[]) : []), schema];
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The same place under other dynamic anchors is another schema. */
function toKey({ at }: Place, scope: Scope): string {
  return JSON.stringify([at, ...Array.from(scope, ([name, anchor]) => `${name} ${anchor.at}`).sort()]);
}
