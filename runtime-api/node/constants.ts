import * as constants from "unenv/node/constants";

const { default: all } = constants as { default: Readonly<Record<string, unknown>> };

export const shim = all;
