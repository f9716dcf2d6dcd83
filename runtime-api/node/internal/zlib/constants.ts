import * as unenv from "unenv/node/internal/zlib/constants";

export const constants: Readonly<Record<string, unknown>> = { ...unenv };
