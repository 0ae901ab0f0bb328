import type { Changes, Collection, Doc, LiveState, NewDoc, ProjectTypes, Query } from '@plinth/client';
import type { CollectionConfig, SyncConfig } from '@tanstack/db';

export interface PlinthCollectionOptions<P extends ProjectTypes, C extends keyof P['collections'] & string> {
  /** The collection that inserts, updates and deletes are written to. */
  readonly collection: Collection<P, C>;
  /** A query that selects the documents; all documents by default. */
  readonly query?: Query<P, Doc<P, C>, Doc<P, C>>;
}

/** How long to wait for a write to appear in the list before it counts as done anyway. */
const seenWithinMs = 5000;

/**
 * Options of a TanStack DB collection that holds the documents of a live query, and writes your changes to the service:
 * `createCollection(plinthCollectionOptions({ collection: plinth.collection('todos') }))`.
 */
export function plinthCollectionOptions<P extends ProjectTypes, C extends keyof P['collections'] & string>({
  collection,
  query = collection,
}: PlinthCollectionOptions<P, C>): CollectionConfig<Doc<P, C>, string> {
  type Item = Doc<P, C>;
  const list = query.live();
  /** Waits until the list shows the result of a write, so that nothing flickers in between. */
  const seen = (isSeen: (rows: readonly Item[]) => boolean): Promise<void> =>
    new Promise((resolve) => {
      let stop = () => {};
      const end = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(end, seenWithinMs);
      stop = list.subscribe(({ items }) => {
        if (isSeen(items)) queueMicrotask(end);
      });
    });
  const shows = (written: Item) =>
    seen((rows) => rows.some(({ id, updatedAt }) => id === written.id && updatedAt >= written.updatedAt));
  const isGone = (gone: string) => seen((rows) => !rows.some(({ id }) => id === gone));

  return {
    id: `plinth:${query.collection}?${query.toString()}`,
    getKey: ({ id }) => id,
    sync: { sync: (params) => follow(list, params), rowUpdateMode: 'full' },
    onInsert: async ({ transaction }) => {
      const written = await Promise.all(
        transaction.mutations.map(({ modified }) =>
          // An id of Plinth's own form is taken; any other stands for the one that the service gives.
          collection.create(modified as unknown as NewDoc<P['collections'][C]>),
        ),
      );
      await Promise.all(written.map(shows));
    },
    onUpdate: async ({ transaction }) => {
      const written = await Promise.all(
        transaction.mutations.map(({ key, changes }) =>
          collection.update(key, changes as Changes<P['collections'][C]>),
        ),
      );
      await Promise.all(written.map(shows));
    },
    onDelete: async ({ transaction }) => {
      const keys = transaction.mutations.map(({ key }) => key);
      await Promise.all(keys.map((key) => collection.delete(key)));
      await Promise.all(keys.map(isGone));
    },
  };
}

interface Row {
  readonly id: string;
}

/** Applies the changes of a list to a collection, one by one. */
function follow<Item extends Row & object>(
  list: { readonly subscribe: (listener: (state: LiveState<Item>) => void) => () => void },
  { begin, write, commit, markReady, markError }: Parameters<SyncConfig<Item, string>['sync']>[0],
): () => void {
  let rows = new Map<string, Item>();
  let isReady = false;
  return list.subscribe(({ status, items, error }) => {
    const next = new Map(items.map((item) => [item.id, item]));
    // A document that has not changed is the same object as before.
    const changed = items.filter((item) => rows.get(item.id) !== item);
    const gone = Array.from(rows.values()).filter(({ id }) => !next.has(id));
    if (changed.length + gone.length > 0) {
      begin();
      for (const value of changed) write({ type: rows.has(value.id) ? 'update' : 'insert', value });
      for (const value of gone) write({ type: 'delete', value });
      void commit();
    }
    rows = next;
    if (isReady) return;
    // What was kept on the device is something to show, also without a connection.
    if (status === 'live' || items.length > 0) {
      isReady = true;
      markReady();
    } else if (status === 'refused') markError(error);
  });
}
