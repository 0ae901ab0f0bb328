import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../calls/index.ts';
import { type Collection, defaultSettings } from './collection.ts';
import { checkName } from './collection-name.ts';
import { insertCountShards } from './count-store.ts';
import { collectionExists } from './errors.ts';
import { insertCollection, takeNumber } from './store.ts';

/** Creates an empty, locked collection. */
export async function createCollection({ db }: RequestContext, name: string): Promise<Collection> {
  checkName(name);
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
