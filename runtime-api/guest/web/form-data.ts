import { WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, bareArray } from "../intrinsics.ts";
import { File, bytesOfBlob, isBlob, isFile, type Blob } from "./blob.ts";
import { assertArguments, installInterface, isObject, makeIterable, toScalarText } from "./interface.ts";

export type FormValue = string | File;
export type FormEntry = [name: string, value: FormValue];

export let isFormData: (value: unknown) => value is FormData;
export let entriesOf: (form: FormData) => readonly FormEntry[];

/** FormData (XHR Standard, 5), which knows no HTML forms. */
export class FormData {
  #entries: FormEntry[] = bareArray();

  constructor(form: unknown = undefined) {
    if (form !== undefined) throw new GuestTypeError(WEB.noForm);
  }

  append(name: unknown, value: unknown, filename: unknown = undefined): void {
    assertArguments(arguments.length, 2, "FormData.append");
    this.#entries[this.#entries.length] = toEntry(name, value, filename, arguments.length > 2);
  }

  delete(name: unknown): void {
    assertArguments(arguments.length, 1, "FormData.delete");
    const key = toScalarText(name);
    this.#keep((entry) => entry[0] !== key);
  }

  get(name: unknown): FormValue | null {
    assertArguments(arguments.length, 1, "FormData.get");
    const key = toScalarText(name);
    for (let at = 0; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at] as FormEntry;
      if (entry[0] === key) return entry[1];
    }
    return null;
  }

  getAll(name: unknown): FormValue[] {
    assertArguments(arguments.length, 1, "FormData.getAll");
    const key = toScalarText(name);
    const values: FormValue[] = [];
    for (let at = 0; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at] as FormEntry;
      if (entry[0] === key) values[values.length] = entry[1];
    }
    return values;
  }

  has(name: unknown): boolean {
    assertArguments(arguments.length, 1, "FormData.has");
    return this.get(name) !== null;
  }

  set(name: unknown, value: unknown, filename: unknown = undefined): void {
    assertArguments(arguments.length, 2, "FormData.set");
    const made = toEntry(name, value, filename, arguments.length > 2);
    let isSet = false;
    this.#keep((entry) => {
      if (entry[0] !== made[0]) return true;
      if (isSet) return false;
      entry[1] = made[1];
      isSet = true;
      return true;
    });
    if (!isSet) this.#entries[this.#entries.length] = made;
  }

  #keep(isKept: (entry: FormEntry) => boolean): void {
    const kept: FormEntry[] = bareArray();
    for (let at = 0; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at] as FormEntry;
      if (isKept(entry)) kept[kept.length] = entry;
    }
    this.#entries = kept;
  }

  static {
    isFormData = (value) => isObject(value) && #entries in value;
    entriesOf = (form) => form.#entries;
    makeIterable(this, "FormData", (form) => form.#entries);
  }
}

export function installFormData(target: object): void {
  installInterface(target, "FormData", FormData);
}

// A blob becomes a file: a form knows its name.
function toEntry(name: unknown, value: unknown, filename: unknown, hasName: boolean): FormEntry {
  const key = toScalarText(name);
  if (!isBlob(value)) {
    if (hasName) throw new GuestTypeError(WEB.notBlob);
    return [key, toScalarText(value)];
  }
  if (isFile(value) && filename === undefined) return [key, value];
  return [key, toFile(value, filename === undefined ? "blob" : toScalarText(filename))];
}

function toFile(blob: Blob, name: string): File {
  const lastModified = isFile(blob) ? { lastModified: blob.lastModified } : {};
  return new File([bytesOfBlob(blob)], name, { __proto__: null, type: blob.type, ...lastModified });
}
