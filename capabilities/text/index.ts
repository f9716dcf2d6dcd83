export const LABEL = "Text";
export const DESCRIPTION = "Count, compare, search and pick apart text, with regular expressions that cannot hang.";
export const VERSION = "1.0.0";
export const LICENSE = "MIT";
