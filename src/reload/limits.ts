/** The rows of the engine's table that watching folders is held to. */
export interface ReloadLimits {
  readonly settleMs: number;
  readonly settleMaxMs: number;
  readonly watchCount: number;
}
