import type { RequestContext } from '../../../calls/index.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import { type Collection, countDocuments } from '../collections/index.ts';
import { ownTableFrom } from '../placement/index.ts';
import { scheduleTending } from './schedule-tending.ts';

/** Soon enough, and seldom enough to cost creates nothing. */
const lookAfterMs = 1000;

/** Has indexes built that waited for their collection to grow, once it has. */
export class GrowthWatch {
  /** The collections that will be looked at in a moment. */
  readonly #waiting = new Set<Collection>();

  /** To be called when documents were created: looks a moment later how many there are. */
  note({ db, ...context }: RequestContext, collection: Collection): void {
    if (!collection.indexes.some(({ state }) => state === 'recorded')) return;
    const apart = { ...context, db: db.apart() };
    db.afterCommit(() => {
      if (this.#waiting.has(collection)) return;
      this.#waiting.add(collection);
      const failed = reporting(
        context.log,
        'the indexes of a collection that may have grown could not be checked',
      );
      const lookNow = () => {
        this.#waiting.delete(collection);
        return look(apart, collection);
      };
      setTimeout(guarded(failed, lookNow), lookAfterMs).unref();
    });
  }
}

async function look(context: RequestContext, { number }: Collection): Promise<void> {
  if ((await countDocuments(context.db, number)) >= ownTableFrom) await scheduleTending(context, number);
}
