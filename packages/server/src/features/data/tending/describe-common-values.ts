import type { Client } from 'pg';
import type { Collection, IndexField } from '../collections/index.ts';
import { sampleValues } from './object-store.ts';

const sampled = 30_000;
const mostValues = 50;
/** A walk through the newest documents meets a page of something this frequent soon enough. */
const frequentFrom = 0.01;

/** If every value of a field is frequent, says so: knowing that helps as much as an index would. Otherwise undefined. */
export async function describeCommonValues(
  connection: Client,
  collection: Collection,
  field: IndexField,
): Promise<string | undefined> {
  if (field.path.length === 1 && field.path[0] === 'updatedAt') return undefined;
  const { values, least, all } = await sampleValues(connection, collection, { field, documents: sampled });
  if (all === 0 || values > mostValues || least / all < frequentFrom) return undefined;
  return `It has ${values} ${values === 1 ? 'value' : 'values'}, each in at least ${Math.floor((100 * least) / all)} % of the documents: statistics are enough.`;
}
