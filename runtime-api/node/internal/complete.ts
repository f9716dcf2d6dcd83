import { NODE } from "../../../src/catalogue/texts.ts";
import { codes } from "./errors.ts";

type Module = Record<string, unknown>;

/** A module with Node's other functions too, each of which says where it is called that it cannot be had. */
export function complete(name: string, shim: unknown, functions: readonly string[]): Module {
  const module = shim as Module;
  for (const missing of functions) {
    if (missing in module) {
      keepName(missing, module[missing]);
      continue;
    }
    const value = function unavailable(): never {
      const words = name === "fs" ? NODE.fileSync : NODE.notAvailable;
      throw new codes.ERR_METHOD_NOT_IMPLEMENTED(words(`${name}.${missing}`));
    };
    Object.defineProperty(module, missing, { value, enumerable: true, writable: true, configurable: true });
  }
  return module;
}

/** Where two of a bundle have one name, the bundler puts a number behind one of them; a class is known by its name. */
function keepName(name: string, value: unknown): void {
  if (typeof value !== "function" || value.name === name || !value.name.startsWith(name)) return;
  if (/^\d+$/.test(value.name.slice(name.length))) Object.defineProperty(value, "name", { value: name, configurable: true });
}
