import { hash } from "node:crypto";
import type { CapabilityRecord } from "./record.ts";

/** The record with its hash: all that a listing shows, and the bundle, whose hash stands for its text. */
export function withCodeHash(record: Omit<CapabilityRecord, "codeHash">): CapabilityRecord {
  return { ...record, codeHash: hash("sha256", JSON.stringify(toPlaces(record))) };
}

/** One order of keys, however the record was put together. */
function toPlaces(record: Omit<CapabilityRecord, "codeHash">): readonly unknown[] {
  return Object.entries(record)
    .filter(([key]) => key !== "codeHash")
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
