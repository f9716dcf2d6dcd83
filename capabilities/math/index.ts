export const LABEL = "Math";
export const DESCRIPTION = "Calculate exactly: expressions with units, complex numbers and matrices, and statistics of a list of numbers.";
export const VERSION = "1.0.0";
export const LICENSE = "MIT";
