import * as unenv from "unenv/node/perf_hooks";
import { realm } from "./internal/realm.ts";

const { default: hooks } = unenv as { default: Readonly<Record<string, unknown>> };

/** The clock is the platform's own: whole milliseconds. */
export const shim = realm.performance === undefined ? hooks : { ...hooks, performance: realm.performance };
