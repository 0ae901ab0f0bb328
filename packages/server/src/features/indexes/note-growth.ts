import { type Collection, countDocuments } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { ownTableFrom } from './collection-index.ts';
import { haveTended } from './have-tended.ts';

/** Soon enough, and seldom enough to cost creates nothing. */
const lookAfterMs = 1000;

const toBeLookedAt = new WeakSet<Collection>();

/** Has the indexes built that waited for the collection to grow, once it has: looks a moment after documents were created. */
export function noteGrowth({ db, ...context }: RequestContext, collection: Collection): void {
  if (!collection.indexes.some(({ state }) => state === 'recorded')) return;
  const apart = { ...context, db: db.apart() };
  db.afterCommit(() => {
    if (toBeLookedAt.has(collection)) return;
    toBeLookedAt.add(collection);
    setTimeout(() => {
      toBeLookedAt.delete(collection);
      look(apart, collection).catch((error: unknown) => {
        context.log.warn({ err: error }, 'indexes of a collection that may have grown were not looked at');
      });
    }, lookAfterMs).unref();
  });
}

async function look(context: RequestContext, { number }: Collection): Promise<void> {
  if ((await countDocuments(context.db, number)) >= ownTableFrom) await haveTended(context, number);
}
