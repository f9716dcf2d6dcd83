import assert from "nodelib:assert";

export const shim = assert["strict"];
