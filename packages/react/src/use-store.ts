import type { Live } from '@plinth/client';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** What a store holds, and every later value; `empty` without a store, and on a server. */
export function useStore<State>(store: Live<State> | undefined, empty: State): State {
  const read = () => store?.get() ?? empty;
  return useSyncExternalStore(store?.subscribe ?? never, read, () => empty);
}
