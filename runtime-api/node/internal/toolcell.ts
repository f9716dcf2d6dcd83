import type { Natives } from "../../guest/native-shim.ts";
import type { ToolContext } from "../../types.ts";

/** What the guest's runtime hands to a bundle. Only modules that need it ask for it: the others run anywhere. */
export interface Toolcell {
  readonly fs: Readonly<Record<string, unknown>>;
  readonly host: ToolContext["host"];
  readonly natives: Natives;
}

declare const __toolcell: Toolcell;

export function toolcell(): Toolcell {
  return __toolcell;
}
