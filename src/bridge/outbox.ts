/**
 * The memory in which an isolate leaves its messages: the guest's runtime writes there in its turn, the keeper reads when the
 * turn has ended. Four bytes say how many of those that follow are used, by messages one after the other: type (u8), call (u32),
 * length of the body (u32), body. Little endian, as every processor that the addon is built for.
 */
export const OUTBOX = {
  bytes: 16 * 1024,
  leadBytes: 4,
  headBytes: 9,
  /** A longer body crosses faster in a call of the keeper's function. */
  bodyChars: 1024,
} as const;
