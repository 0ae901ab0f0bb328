import { type Collection, countDocuments } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { ownTableFrom } from './collection-index.ts';
import { haveTended } from './have-tended.ts';

/** What this node knows of a collection that has indexes which wait for it to grow. */
interface Growth {
  /** How many documents it lacked when that was last looked at. */
  lacking: number;
  /** How many this node has created since. */
  created: number;
  isLooking: boolean;
}

const growing = new WeakMap<Collection, Growth>();

/** Nodes do not know what others create: they look after a part of what is lacking. */
const partLookedAfter = 1 / 8;

/** Has the indexes built that waited for the collection to grow, once it has. */
export function noteGrowth(context: RequestContext, collection: Collection, created: number): void {
  if (!collection.indexes.some(({ state }) => state === 'recorded')) return;
  const growth = growing.get(collection) ?? { lacking: 0, created: 0, isLooking: false };
  growing.set(collection, growth);
  const { db, log } = context;
  const apart = { ...context, db: db.apart() };
  db.afterCommit(() => {
    growth.created += created;
    if (growth.isLooking || !isDue(growth)) return;
    look(apart, collection, growth).catch((error: unknown) => {
      // The next create looks again.
      growth.lacking = 0;
      log.warn({ err: error }, 'indexes of a collection that has grown are not built yet');
    });
  });
}

function isDue({ created, lacking }: Growth): boolean {
  return created > 0 && created >= lacking * partLookedAfter;
}

async function look(context: RequestContext, { number }: Collection, growth: Growth): Promise<void> {
  growth.isLooking = true;
  try {
    // Again for what was created meanwhile: it may have been the last for long.
    while (isDue(growth)) {
      growth.created = 0;
      growth.lacking = ownTableFrom - (await countDocuments(context.db, number));
      if (growth.lacking > 0) continue;
      await haveTended(context, number);
      growth.lacking = ownTableFrom;
    }
  } finally {
    growth.isLooking = false;
  }
}
