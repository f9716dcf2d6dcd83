import path from "nodelib:path";

export const shim = path["win32"];
