import path from "nodelib:path";

export const shim = path["posix"];
