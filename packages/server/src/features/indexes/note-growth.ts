import type { Collection } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { ownTableFrom } from './collection-index.ts';
import { haveTended } from './have-tended.ts';

const noted = new WeakSet<Collection>();

/** Has the indexes built that waited for the collection to grow. `counted` is what one of its count slots says. */
export function noteGrowth(context: RequestContext, collection: Collection, counted: number): void {
  const isLarge = counted * collection.countSlots >= ownTableFrom;
  if (!isLarge || !collection.indexes.some(({ state }) => state === 'recorded') || noted.has(collection))
    return;
  noted.add(collection);
  const { db, log } = context;
  const apart = { ...context, db: db.apart() };
  db.afterCommit(() => {
    haveTended(apart, collection.number).catch((error: unknown) => {
      noted.delete(collection);
      log.warn({ err: error }, 'indexes of a collection that has grown are not built yet');
    });
  });
}
