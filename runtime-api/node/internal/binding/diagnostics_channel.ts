/** What Node's own native code would announce: nothing does, in here. */
export const subscribers = new Uint32Array(0);
export function linkNativeChannel(): undefined {
  return undefined;
}
