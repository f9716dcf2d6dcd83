import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import { childSchemas } from "./schema-walk.ts";
import { quotable } from "./visible-text.ts";

/** A schema with a name in the world, or the whole: what an `$id` begins. Its `$ref`s and anchors are its own. */
export interface Resource {
  readonly uri: string;
  readonly at: string;
  readonly anchors: Map<string, Place>;
  readonly dynamicAnchors: Map<string, Place>;
}

/** One schema in the whole. */
export interface Place {
  readonly schema: Json;
  /** The JSON Pointer that leads to it from the root. */
  readonly at: string;
  readonly resource: Resource;
}

export interface Places {
  readonly root: Place;
  readonly count: number;
  /** Whether a keyword stands in it anywhere. */
  uses(...keywords: readonly string[]): boolean;
  /** The schema at a pointer from the root, or undefined where there stands none. */
  at(pointer: string): Place | undefined;
  /** What a `$ref` leads to. Throws FileFault where that is not in the whole. */
  resolve(reference: Json, from: Place): Place;
}

/** What a schema without a name is called, so that what is relative to it leads nowhere. */
const NAMELESS = "schema:///";

/**
 * Finds every schema in a schema, and what it is called. Nothing is ever fetched: a name means a place in here or nothing.
 * Where `ignoresSiblings`, an `$id` beside a `$ref` names nothing, as draft-07 has it.
 */
export function findPlaces(schema: JsonObject, ignoresSiblings: boolean): Places {
  const places = new Map<string, Place>();
  const resources = new Map<string, Resource>();
  const anonymous = createResource(NAMELESS, "");
  resources.set(NAMELESS, anonymous);
  const root = add({ schema, at: "", resource: anonymous });

  function add({ schema: inner, at, resource: outer }: Place): Place {
    const resource = isJsonObject(inner) ? toResource(inner, at, outer) : outer;
    const place = { schema: inner, at, resource };
    places.set(at, place);
    if (!isJsonObject(inner)) return place;
    const names = isNameless(inner) ? [] : listAnchors(inner, resource);
    for (const [anchors, anchor] of names) {
      const known = anchors.get(anchor);
      if (known !== undefined && known.at !== at) throw new FileFault(ADMISSION.schemaNameTwice(quotable(`#${anchor}`)));
      anchors.set(anchor, place);
    }
    for (const child of childSchemas(inner)) add({ schema: child.schema, at: `${at}${child.at}`, resource });
    return place;
  }

  function isNameless({ $ref }: JsonObject): boolean {
    return ignoresSiblings && $ref !== undefined;
  }

  function toResource(inner: JsonObject, at: string, outer: Resource): Resource {
    const { $id } = inner;
    if (typeof $id !== "string" || $id === "" || $id.startsWith("#") || isNameless(inner)) return outer;
    const uri = toUri($id, outer.uri);
    if (uri === null) throw new FileFault(ADMISSION.schemaName(quotable($id)));
    if (resources.has(uri)) throw new FileFault(ADMISSION.schemaNameTwice(quotable($id)));
    const resource = createResource(uri, at);
    resources.set(uri, resource);
    return resource;
  }

  function resolve(reference: Json, { at, resource: from }: Place): Place {
    const place = at === "" ? "" : ` at ${quotable(at)}`;
    const shown = quotable(typeof reference === "string" ? reference : JSON.stringify(reference));
    const uri = typeof reference === "string" ? toUri(reference, from.uri) : null;
    const resource = uri === null ? undefined : resources.get(uri);
    if (typeof reference !== "string" || resource === undefined) throw new FileFault(ADMISSION.schemaRemoteRef(place, shown));
    const fragment = toFragment(reference);
    const target = fragment === null ? undefined : followFragment(fragment, resource);
    if (target === undefined) throw new FileFault(ADMISSION.schemaLostRef(place, shown));
    return target;
  }

  function followFragment(fragment: string, { at, anchors }: Resource): Place | undefined {
    return fragment === "" || fragment.startsWith("/") ? places.get(`${at}${fragment}`) : anchors.get(fragment);
  }

  function uses(...keywords: readonly string[]): boolean {
    return places.values().some(({ schema: inner }) => isJsonObject(inner) && keywords.some((key) => Object.hasOwn(inner, key)));
  }

  return { root, count: places.size, uses, at: (pointer) => places.get(pointer), resolve };
}

function createResource(uri: string, at: string): Resource {
  return { uri, at, anchors: new Map(), dynamicAnchors: new Map() };
}

/** Without its fragment, or null where it is no reference or cannot be told from where it stands. */
function toUri(reference: string, base: string): string | null {
  const [own = ""] = reference.split("#", 1);
  return own === "" ? base : (URL.parse(own, base)?.href ?? null);
}

/** As it is meant, or null where its escapes are broken. */
function toFragment(reference: string): string | null {
  const start = reference.indexOf("#");
  if (start === -1) return "";
  try {
    return decodeURIComponent(reference.slice(start + 1));
  } catch {
    return null;
  }
}

/** 2020-12 names a place with `$anchor`, draft-07 with the fragment of an `$id`. */
function listAnchors(schema: JsonObject, resource: Resource): (readonly [Map<string, Place>, string])[] {
  const { $anchor, $dynamicAnchor, $id } = schema;
  const named = typeof $id === "string" && $id.includes("#") ? $id.slice($id.indexOf("#") + 1) : "";
  const found: (readonly [Map<string, Place>, string])[] = [];
  for (const anchor of [$anchor, $dynamicAnchor, named]) {
    if (typeof anchor === "string" && anchor !== "") found.push([resource.anchors, anchor]);
  }
  if (typeof $dynamicAnchor === "string") found.push([resource.dynamicAnchors, $dynamicAnchor]);
  return found;
}
