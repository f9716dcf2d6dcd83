/** The rows of the engine's limits that the queue holds to. */
export interface JobLimits {
  readonly jobRunCount: number;
  readonly jobQueueCount: number;
  readonly jobBytes: number;
  readonly jobOutcomeBytes: number;
  readonly jobKeepMs: number;
  readonly jobKeepCount: number;
  readonly jobTryCount: number;
  readonly jobPollMs: number;
  readonly jobLeaseMs: number;
}
