import type { RequestContext } from '../../../calls/index.ts';
import {
  type CollectionDirectory,
  collectionNotFound,
  lockCollection,
  namesOf,
} from '../collections/index.ts';
import { beginPlacementEpoch } from '../placement/index.ts';
import { indexNotFound } from './errors.ts';
import { scheduleTending } from './schedule-tending.ts';
import { listIndexes, updateIndex } from './store.ts';

/** Drops an index. No query uses it from now on; PostgreSQL removes it later. */
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
    // Writers stop keeping its values.
    if (index.kind === 'unique') await beginPlacementEpoch(db, number);
    await scheduleTending({ ...context, db }, number);
    await directory.changed(db, context.project, namesOf(collection));
  });
}
