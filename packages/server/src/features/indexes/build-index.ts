import type { Client, Pool } from 'pg';
import { run } from '../../platform/db/pool.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Collection, type CollectionIndex, ownTable } from '../collections/index.ts';
import { createObject, dropObject, objectName } from './index-ddl.ts';
import { saveProgress } from './store.ts';

/** What building needs: a connection without a time limit, and another to watch it with. */
export interface Builder {
  readonly connection: Client;
  readonly pool: Pool;
  readonly db: ProjectDb;
  /** Stops long work between two steps: another node goes on with it. */
  readonly signal: AbortSignal;
}

const watchEveryMs = 1000;

/** Builds the index or the statistics, and lets PostgreSQL learn what is in them. What a node left half done is done again. */
export async function buildIndex(
  builder: Builder,
  collection: Collection,
  index: CollectionIndex,
): Promise<void> {
  const { connection } = builder;
  const state = await objectState(connection, index);
  if (state === 'broken') await run(connection, dropObject(index));
  if (state !== 'whole') {
    const trigrams = index.kind === 'search' ? await findTrigrams(connection) : '';
    const timer = watch(builder, collection, index);
    try {
      await run(connection, createObject(collection, index, trigrams));
    } finally {
      clearInterval(timer);
    }
  }
  await run(connection, sql`ANALYZE ${ownTable(collection)}`);
}

async function objectState(
  connection: Client,
  index: CollectionIndex,
): Promise<'missing' | 'broken' | 'whole'> {
  if (index.kind === 'statistics') return 'missing';
  const [row] = await run<{ isValid: boolean }>(
    connection,
    sql`SELECT indisvalid AS "isValid" FROM pg_index
      WHERE indexrelid = to_regclass(${`own.${objectName(index)}`})`,
  );
  if (!row) return 'missing';
  return row.isValid ? 'whole' : 'broken';
}

/** An operator may have installed the extension in any schema. */
async function findTrigrams(connection: Client): Promise<string> {
  const [row] = await run<{ name: string }>(
    connection,
    sql`SELECT format('%I.gin_trgm_ops', nspname) AS name
      FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'`,
  );
  if (!row) throw new Error('The extension pg_trgm is not installed in this database.');
  return row.name;
}

/** Notes now and then how far PostgreSQL is. */
function watch(
  { connection, pool, db }: Builder,
  { number }: Collection,
  { id }: CollectionIndex,
): NodeJS.Timeout {
  const { processID } = connection as Client & { processID: number };
  const look = async () => {
    const [row] = await run<{ done: string; total: string }>(
      pool,
      sql`SELECT CASE WHEN tuples_total > 0 THEN tuples_done ELSE blocks_done END AS done,
          CASE WHEN tuples_total > 0 THEN tuples_total ELSE blocks_total END AS total
        FROM pg_stat_progress_create_index WHERE pid = ${processID}`,
    );
    if (row && row.total !== '0')
      await saveProgress(db, number, { id, done: Number(row.done), total: Number(row.total) });
  };
  return setInterval(() => void look().catch(() => {}), watchEveryMs);
}

/** Removes what serves an index. */
export async function dropIndexObject(
  { connection }: Builder,
  index: Pick<CollectionIndex, 'id' | 'kind'>,
): Promise<void> {
  await run(connection, dropObject(index));
}
