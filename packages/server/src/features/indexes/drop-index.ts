import {
  beginEpoch,
  type CollectionDirectory,
  collectionNotFound,
  lockCollection,
  namesOf,
} from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { indexNotFound } from './errors.ts';
import { haveTended } from './have-tended.ts';
import { listIndexes, updateIndex } from './store.ts';

/** Drops an index. No query uses it from now on; PostgreSQL removes it after. */
export async function dropIndex(
  directory: CollectionDirectory,
  context: RequestContext,
  nameOrId: string,
  id: string,
): Promise<void> {
  const { number } = await directory.get(context, nameOrId);
  await context.db.transaction(async (db) => {
    const collection = await lockCollection(db, number);
    if (!collection) throw collectionNotFound(nameOrId);
    const index = (await listIndexes(db, number)).find((row) => row.id === id && row.state !== 'dropping');
    if (!index) throw indexNotFound(id);
    await updateIndex(db, number, id, { state: 'dropping' });
    // Writers stop to keep its values.
    if (index.kind === 'unique') await beginEpoch(db, number);
    await haveTended({ ...context, db }, number);
    await directory.changed(db, context.project, namesOf(collection));
  });
}
