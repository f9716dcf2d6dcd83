/** The part of the engine's limits that the network holds to. */
export interface NetworkLimits {
  readonly fetchMs: number;
  readonly fetchBytes: number;
  readonly fetchBodyBytes: number;
  readonly fetchCount: number;
  readonly fetchInFlightCount: number;
  readonly fetchRatePerMinuteCount: number;
  readonly fetchRedirectCount: number;
  readonly fetchUrlChars: number;
  readonly fetchHeaderBytes: number;
  readonly fetchHeaderCount: number;
}
