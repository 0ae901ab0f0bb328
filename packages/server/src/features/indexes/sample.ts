import type { Client } from 'pg';
import { run } from '../../platform/db/pool.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Collection, type IndexField, ownTable, stepsOf } from '../collections/index.ts';

const sampled = 30_000;
const mostValues = 50;
/** A walk through the newest documents meets a page of something this frequent soon enough. */
const frequentFrom = 0.01;

/** Says so if every value of a field is frequent: to know that helps as much as an index would. Else undefined. */
export async function hasOnlyCommonValues(
  connection: Client,
  collection: Collection,
  { path }: IndexField,
): Promise<string | undefined> {
  if (path.length === 1 && path[0] === 'updatedAt') return undefined;
  const table = ownTable(collection);
  const [row] = await run<{ values: number; least: number; all: number }>(
    connection,
    sql`WITH sample AS (
        SELECT cell.sort_key(data${stepsOf(path)}) AS key FROM ${table} TABLESAMPLE SYSTEM (
          (SELECT least(100, 100.0 * ${sampled}::int / greatest(1, reltuples)) FROM pg_class
            WHERE oid = ${table.text}::regclass))
      ), counts AS (SELECT count(*) AS count FROM sample GROUP BY key)
      SELECT count(*)::int AS values, coalesce(min(count), 0)::int AS least, coalesce(sum(count), 0)::int AS all FROM counts`,
  );
  const { values, least, all } = row!;
  if (all === 0 || values > mostValues || least / all < frequentFrom) return undefined;
  return `It has ${values} ${values === 1 ? 'value' : 'values'}, each in at least ${Math.floor((100 * least) / all)} % of the documents: statistics suffice.`;
}
