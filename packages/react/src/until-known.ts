import type { Live } from '@plinth/client';

const lingerMs = 5000;
const waiting = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * What Suspense waits for: until the state is known. Whoever waits is not mounted, so it is followed meanwhile, and a
 * little longer, until the component does so itself.
 */
export function untilKnown(
  owner: object,
  key: string,
  store: Live<{ readonly status: string }>,
): Promise<void> {
  let ofOwner = waiting.get(owner);
  if (!ofOwner) waiting.set(owner, (ofOwner = new Map()));
  const begun = ofOwner.get(key);
  if (begun) return begun;
  const promise = new Promise<void>((resolve) => {
    const stop = store.subscribe(({ status }) => {
      if (status === 'connecting') return;
      resolve();
      setTimeout(() => {
        stop();
        ofOwner.delete(key);
      }, lingerMs);
    });
  });
  ofOwner.set(key, promise);
  return promise;
}
