import { codes } from "./../errors.ts";

export function matchGlobPattern(): never {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED("The matchesGlob() method is not available to a sealed tool");
}
