/** A signal that is aborted by the first interrupt of this process; `onSecond` is called by each after it. */
export function interruption(onFirst: () => void = () => undefined, onSecond: () => void = () => undefined): Interruption {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) return onSecond();
    controller.abort();
    onFirst();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}

export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
}
