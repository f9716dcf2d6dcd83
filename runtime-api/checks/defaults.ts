import type { DefaultPlace, Given } from "../../src/bridge/defaults.ts";

/** Fills in what is missing. `forRequired` fills only what is required, which is done before a check; the rest comes after. */
export function fillDefaults(places: readonly DefaultPlace[], value: unknown, forRequired: boolean): void {
  fill({ places, forRequired }, 0, value);
}

interface Filling {
  readonly places: readonly DefaultPlace[];
  readonly forRequired: boolean;
}

function fill(filling: Filling, index: number | undefined, value: unknown): void {
  const place = index === undefined ? undefined : filling.places[index];
  if (place === undefined || typeof value !== "object" || value === null) return;
  for (const same of place.same ?? []) fill(filling, same, value);
  if (Array.isArray(value)) fillArray(filling, place, value);
  else fillObject(filling, place, value as Record<string, unknown>);
}

function fillObject(filling: Filling, { properties = {}, patterns = [], others }: DefaultPlace, value: Record<string, unknown>): void {
  for (const [name, given] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name) && counts(filling, given)) value[name] = copyOf(given.value);
    if (Object.hasOwn(value, name)) fill(filling, given.place, value[name]);
  }
  if (patterns.length === 0 && others === undefined) return;
  for (const [name, inner] of Object.entries(value)) {
    const matching = patterns.filter(([pattern]) => new RegExp(pattern, "u").test(name));
    for (const [, place] of matching) fill(filling, place, inner);
    if (matching.length === 0 && !Object.hasOwn(properties, name)) fill(filling, others, inner);
  }
}

function fillArray(filling: Filling, { prefix = [], items }: DefaultPlace, value: unknown[]): void {
  for (const [index, given] of prefix.entries()) {
    if (value.length === index && counts(filling, given)) value.push(copyOf(given.value));
    if (index < value.length) fill(filling, given.place, value[index]);
  }
  if (items !== undefined) for (const item of value.slice(prefix.length)) fill(filling, items, item);
}

function counts({ forRequired }: Filling, given: Given): boolean {
  return Object.hasOwn(given, "value") && (!forRequired || given.isRequired === true);
}

/** Every call gets a value of its own. */
function copyOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}
