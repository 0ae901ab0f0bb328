import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../projects/index.ts';
import { type Collection, defaultSettings } from './collection.ts';
import { checkName } from './collection-name.ts';
import { collectionExists } from './errors.ts';
import { insertCollection, insertCountSlots, takeNumber } from './store.ts';

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
    await insertCountSlots(db, number, 1);
    return collection;
  });
}
