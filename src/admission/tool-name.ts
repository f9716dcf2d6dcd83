const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
/** As JSON it would be a key like any other; as the key of an object it would be that object's prototype. */
const UNUSABLE_NAME = "__proto__";

/** Whether a tool can be called so. */
export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name) && name !== UNUSABLE_NAME;
}
