import type {
  Collection,
  Doc,
  Id,
  Live,
  LiveDocumentState,
  LiveState,
  ProjectTypes,
  Query,
} from '@plinth/client';
import { useMemo } from 'react';
import { untilKnown } from './until-known.ts';
import { useStore } from './use-store.ts';

interface LiveOptions {
  /** Suspends, in the nearest `<Suspense>`, until the first state is known. */
  readonly suspense?: boolean;
}

const noList: LiveState<never> = { status: 'connecting', items: [] };
const noDocument: LiveDocumentState<never> = { status: 'connecting', document: undefined };

/**
 * The current documents of a query, updated live. You can build the query again at each render: equal queries share one
 * subscription. Without a query, nothing is subscribed to: `useLive(user && posts.where(…))`.
 */
export function useLive<P extends ProjectTypes, D extends object, Item>(
  query: Query<P, D, Item> | undefined | null | false,
  { suspense = false }: LiveOptions = {},
): LiveState<Item> {
  const key = query ? `${query.collection}?${query.toString()}` : '';
  const door = query ? query.door : undefined;
  const list = useMemo(() => (query ? query.live() : undefined), [door, key]);
  wait(suspense, list, door, key);
  return useStore<LiveState<Item>>(list, noList);
}

/** The current state of a document, updated live. */
export function useDocument<P extends ProjectTypes, C extends keyof P['collections'] & string>(
  collection: Collection<P, C>,
  id: Id<C> | undefined | null | false,
  { suspense = false }: LiveOptions = {},
): LiveDocumentState<Doc<P, C>> {
  const key = id ? `${collection.collection}/${id}` : '';
  const { door } = collection;
  const one = useMemo(() => (id ? collection.liveDocument(id) : undefined), [door, key]);
  wait(suspense, one, door, key);
  return useStore<LiveDocumentState<Doc<P, C>>>(one, noDocument);
}

function wait(
  isWanted: boolean,
  store: Live<{ readonly status: string }> | undefined,
  owner: object | undefined,
  key: string,
): void {
  // On a server nothing is live: what is there at first is shown.
  if (!isWanted || !store || !owner || typeof document === 'undefined') return;
  // oxlint-disable-next-line no-throw-literal -- this is how React is told
  if (store.get().status === 'connecting') throw untilKnown(owner, key, store);
}
