/** What a module exports, or what its one default export holds. */
export type Module = Record<string, unknown>;
type Method = (...args: unknown[]) => unknown;

/** Names that are a module's own business, and no action of a tool. */
const RESERVED: ReadonlySet<string> = new Set([
  "getToolSchemas",
  "get_tool_schemas",
  "dispatch",
  "cliMain",
  "cli_main",
  "unload",
  "default",
]);

/** The object that holds a module's functions: its exports, or an object that is its default export. */
export function moduleOf(entry: object): Module {
  const { default: given } = entry as { readonly default?: unknown };
  const isHolder = (typeof given === "object" && given !== null) || typeof given === "function";
  if (!isHolder || listsTools(entry as Module)) return entry as Module;
  return listsTools(given as Module) ? (given as Module) : (entry as Module);
}

/** A function of the module under a name; what every object has is none. */
export function methodOf(module: Module, name: string): Method | undefined {
  const value = module[name];
  if (typeof value !== "function" || value === (Object.prototype as unknown as Module)[name]) return undefined;
  return (...args): unknown => Reflect.apply(value, module, args);
}

/** What runs a tool: `dispatch`, else a function that is called as the tool is, with or without the module's name before it. */
export function handlerOf(module: Module, key: string, name: string): ((args: unknown, context: unknown) => unknown) | undefined {
  const dispatch = methodOf(module, "dispatch");
  if (dispatch !== undefined) return (args, context) => dispatch(name, args, context);
  return [name, actionOf(key, name)]
    .filter((called) => !RESERVED.has(called))
    .map((called) => methodOf(module, called))
    .find((method) => method !== undefined);
}

/** `myapi_query` of the module `myapi` is its `query`. */
export function actionOf(key: string, name: string): string {
  const prefix = [`${key}_`, `${key.replaceAll("-", "_")}_`].find((start) => name.startsWith(start));
  return prefix === undefined ? name : name.slice(prefix.length);
}

/** What takes a command line whole. */
export function commandOf(module: Module): Method | undefined {
  return methodOf(module, "cliMain") ?? methodOf(module, "cli_main");
}

function listsTools(module: Module): boolean {
  return methodOf(module, "getToolSchemas") !== undefined || methodOf(module, "get_tool_schemas") !== undefined;
}
