export function triggerUncaughtException(error: unknown): never {
  throw error;
}
