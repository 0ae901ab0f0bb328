import type { Live } from '@plinth/client';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The current value of a store, updated with every change; `empty` without a store, and on a server. */
export function useStore<State>(store: Live<State> | undefined, empty: State): State {
  const read = () => store?.get() ?? empty;
  return useSyncExternalStore(store?.subscribe ?? never, read, () => empty);
}
