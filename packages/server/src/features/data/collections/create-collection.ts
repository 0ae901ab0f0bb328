import { randomUUID } from 'node:crypto';
import type { Quotas, RequestContext } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type CheckSettings, type CollectionChanges, mergeSettings } from './change-collection.ts';
import { type Collection, type CollectionSettings, defaultSettings } from './collection.ts';
import { checkName } from './collection-name.ts';
import { insertCountShards } from './count-store.ts';
import { collectionExists } from './errors.ts';
import { insertCollection, takeNumber } from './store.ts';

interface NewCollection {
  readonly name: string;
  readonly settings?: CollectionChanges['settings'];
}

/** Creates an empty collection; what its settings do not open is locked. */
export async function createCollection(
  { quotas, checkSettings }: { quotas: Quotas; checkSettings: CheckSettings },
  context: RequestContext,
  { name, settings }: NewCollection,
): Promise<{ collection: Collection; warnings: string[] }> {
  checkName(name);
  return quotas.spend(context, { collections: 1 }, () =>
    context.db.transaction(async (db) => {
      const collection = await insertNew(db, name, mergeSettings(defaultSettings, settings ?? {}));
      return { collection, warnings: settings ? await checkSettings(context, collection) : [] };
    }),
  );
}

async function insertNew(db: ProjectDb, name: string, settings: CollectionSettings): Promise<Collection> {
  const number = await takeNumber(db);
  const collection = await insertCollection(db, {
    number,
    id: randomUUID(),
    name,
    settings,
  });
  if (!collection) throw collectionExists(name);
  await insertCountShards(db, number, 1);
  return collection;
}
