import { realm } from "./realm.ts";

export const kResistStopPropagation = Symbol("kResistStopPropagation");
export const kEvents = Symbol("kEvents");
export const kMaxEventTargetListeners = Symbol("events.maxEventTargetListeners");
export const kMaxEventTargetListenersWarned = Symbol("events.maxEventTargetListenersWarned");

export function isEventTarget(value: unknown): boolean {
  const EventTarget = realm["EventTarget"];
  return typeof EventTarget === "function" && value instanceof EventTarget;
}
