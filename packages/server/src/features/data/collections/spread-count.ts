import type { RequestContext } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Collection, namesOf } from './collection.ts';
import { insertCountShards } from './count-store.ts';
import { lockCollection, notifyChanged, updateCollection } from './store.ts';

const busyFrom = 1000;
const busyShards = 16;

/**
 * Once the first shard has counted many documents, gives the collection more shards, so that creates do not queue for
 * one row. To be called after documents were created, with what their shard counts now.
 */
export function spreadBusyCount(
  { db, log }: Pick<RequestContext, 'db' | 'log'>,
  collection: Collection,
  counted: number,
): void {
  if (counted < busyFrom || collection.countShards > 1) return;
  const apart = db.apart();
  db.afterCommit(() => {
    spread(apart, collection.number).catch((error: unknown) => {
      log.warn({ err: error }, 'a busy collection still uses a single counter row');
    });
  });
}

async function spread(db: ProjectDb, number: number): Promise<void> {
  await db.transaction(async (db) => {
    const collection = await lockCollection(db, number);
    if (!collection || collection.countShards >= busyShards) return;
    await insertCountShards(db, number, busyShards);
    await updateCollection(db, number, { countShards: busyShards });
    await notifyChanged(db, namesOf(collection));
  });
}
