import { realm } from "../realm.ts";

export function queueMicrotask(callback: () => void): void {
  realm.queueMicrotask(callback);
}
