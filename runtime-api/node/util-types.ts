import { types } from "./internal/util/types.ts";

export const shim = types;
