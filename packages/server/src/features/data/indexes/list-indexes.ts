import type { RequestContext } from '../../../calls/index.ts';
import { type CollectionDirectory, countDocuments } from '../collections/index.ts';
import { indexRecord } from './collection-index.ts';
import { listIndexes } from './store.ts';
import { figuresOf } from './use-store.ts';

/** The indexes of a collection, the oldest first. */
export async function listAllIndexes(
  directory: CollectionDirectory,
  context: RequestContext,
  nameOrId: string,
) {
  const collection = await directory.get(context, nameOrId);
  const documents = await countDocuments(context.db, collection.number);
  const rows = await listIndexes(context.db, collection.number);
  const figures = await figuresOf(context.db, collection.number);
  return rows
    .filter(({ state }) => state !== 'dropping')
    .map((row) => indexRecord(row, collection, documents, figures.get(row.id)));
}
