import { randomUUID } from 'node:crypto';
import type { Quotas, RequestContext } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Collection, defaultSettings } from './collection.ts';
import { checkName } from './collection-name.ts';
import { insertCountShards } from './count-store.ts';
import { collectionExists } from './errors.ts';
import { insertCollection, takeNumber } from './store.ts';

/** Creates an empty, locked collection. */
export async function createCollection(
  quotas: Quotas,
  context: RequestContext,
  name: string,
): Promise<Collection> {
  checkName(name);
  return quotas.spend(context, { collections: 1 }, () => insertNew(context.db, name));
}

async function insertNew(db: ProjectDb, name: string): Promise<Collection> {
  return db.transaction(async (db) => {
    const number = await takeNumber(db);
    const collection = await insertCollection(db, {
      number,
      id: randomUUID(),
      name,
      settings: defaultSettings,
    });
    if (!collection) throw collectionExists(name);
    await insertCountShards(db, number, 1);
    return collection;
  });
}
