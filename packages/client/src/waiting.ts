/** How long to wait before another try: longer each time, and not the same for everyone. */
export function backoffMs(tried: number, { firstMs = 300, mostMs = 30_000 } = {}): number {
  return Math.min(mostMs, firstMs * 2 ** tried) * (0.5 + Math.random() / 2);
}

/** Waits, unless the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that ends with the caller's, or when the time is up. `AbortSignal.any` is not everywhere. */
export function deadline(ms: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort(reasonOf(signal));
  const limit = { isOver: false };
  const start = () =>
    setTimeout(() => {
      limit.isOver = true;
      controller.abort();
    }, ms);
  let timer = start();
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    limit,
    /** There was a sign of life: the time begins anew. */
    extend: () => {
      clearTimeout(timer);
      timer = start();
    },
    done: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

/** Fails if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

function reasonOf(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? Object.assign(new Error('The request was aborted.'), { name: 'AbortError' });
}
