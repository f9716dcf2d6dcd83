import { realm } from "../realm.ts";

export const URLPattern = realm["URLPattern"];
