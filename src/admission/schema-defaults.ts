import type { DefaultPlace, Given } from "../bridge/defaults.ts";
import { isJsonObject, toList, type Json, type JsonObject } from "../catalogue/json.ts";
import { followLink, type LinkedSchema } from "./schema-link.ts";

/**
 * Where a schema gives defaults, in the form that `fillDefaults` takes; empty where it gives none. Only places count that
 * hold for certain: below `anyOf`, `oneOf`, `not` and `if` a default would hang on what it changes.
 */
export function findDefaults(linked: LinkedSchema): readonly DefaultPlace[] {
  const numbers = new Map<JsonObject, number>();
  const schemas: JsonObject[] = [];

  function toPlace(schema: JsonObject): DefaultPlace {
    const { properties, patternProperties, additionalProperties, prefixItems, items, required } = schema;
    const named = Object.entries(toObject(properties)).map(([name, inner]) => {
      return [name, toGiven(inner, Array.isArray(required) && required.includes(name))] as const;
    });
    const patterns = Object.entries(toObject(patternProperties)).flatMap(([pattern, inner]) => {
      return numbersOf([inner]).map((place) => [pattern, place] as const);
    });
    const [others] = numbersOf([additionalProperties]);
    const [rest] = numbersOf([items]);
    return {
      ...(named.length > 0 && { properties: Object.fromEntries(named) }),
      ...(patterns.length > 0 && { patterns }),
      ...(others !== undefined && { others }),
      ...(Array.isArray(prefixItems) && { prefix: prefixItems.map((inner: Json) => toGiven(inner, false)) }),
      ...(rest !== undefined && { items: rest }),
      same: numbersOf([...toList(schema["allOf"]), followLink(schema["$ref"], linked)]),
    };
  }

  function toGiven(schema: Json, isRequired: boolean): Given {
    const [place] = numbersOf([schema]);
    const hasValue = isJsonObject(schema) && Object.hasOwn(schema, "default");
    return { ...(hasValue && { value: schema["default"], isRequired }), ...(place !== undefined && { place }) };
  }

  /** A number for each that is an object, the same whenever it is met. */
  function numbersOf(inner: readonly (Json | undefined)[]): number[] {
    return inner.filter(isJsonObject).map((schema) => {
      const number = numbers.get(schema) ?? schemas.push(schema) - 1;
      numbers.set(schema, number);
      return number;
    });
  }

  numbersOf([linked.root]);
  const places: DefaultPlace[] = [];
  // Reading one may find others.
  for (const schema of schemas) places.push(toPlace(schema));
  return keepGiving(places);
}

/** Leaves out every way that leads to no default, so that a call does not go it. */
function keepGiving(places: readonly DefaultPlace[]): readonly DefaultPlace[] {
  const comingFrom = places.map((): number[] => []);
  for (const [number, place] of places.entries()) for (const way of listWays(place)) comingFrom[way]?.push(number);
  const giving = new Set(places.keys().filter((number) => listGiven(places[number]).some((given) => Object.hasOwn(given, "value"))));
  // A set is gone through with what is added meanwhile.
  for (const number of giving) for (const before of comingFrom[number] ?? []) giving.add(before);
  return giving.has(0) ? places.map((place, number) => (giving.has(number) ? keepWays(place, giving) : {})) : [];
}

function listGiven({ properties = {}, prefix = [] }: DefaultPlace = {}): readonly Given[] {
  return [...Object.values(properties), ...prefix];
}

function listWays(place: DefaultPlace): readonly number[] {
  const { patterns = [], others, items, same = [] } = place;
  const given = listGiven(place).map((inner) => inner.place);
  return [...patterns.map(([, way]) => way), ...given, others, items, ...same].filter((way) => way !== undefined);
}

function keepWays(place: DefaultPlace, giving: ReadonlySet<number>): DefaultPlace {
  const { properties = {}, patterns = [], others, prefix = [], items, same = [] } = place;
  const isGiving = (way: number | undefined): way is number => way !== undefined && giving.has(way);
  const keep = (given: Given): Given => {
    const { place: way, ...rest } = given;
    return isGiving(way) ? given : rest;
  };
  return {
    properties: Object.fromEntries(Object.entries(properties).map(([name, given]) => [name, keep(given)])),
    patterns: patterns.filter(([, way]) => isGiving(way)),
    ...(isGiving(others) && { others }),
    prefix: prefix.map(keep),
    ...(isGiving(items) && { items }),
    same: same.filter(isGiving),
  };
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
