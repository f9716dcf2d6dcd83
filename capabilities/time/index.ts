export const LABEL = "Time";
export const DESCRIPTION =
  "Convert, add, compare and repeat dates and times in any time zone, with daylight saving taken as the law has it.";
export const VERSION = "1.0.0";
export const LICENSE = "MIT";
