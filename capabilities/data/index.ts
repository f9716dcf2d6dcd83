export const LABEL = "Data";
export const DESCRIPTION = "Query JSON, turn CSV into JSON and back, and describe a table's columns.";
export const VERSION = "1.0.0";
export const LICENSE = "MIT";
