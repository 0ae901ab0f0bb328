import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';
import type { Removal } from '../../../platform/tables/owned-table.ts';
import { releaseHeldBy } from '../../files/index.ts';
import { dropOwnTable, listOwnTables } from './own-table-store.ts';
import { ownTable } from './table-store.ts';

const chunk = 5000;

/** Removes some documents of a project, or of one of its collections, from the table that all share. */
export async function removeShared(db: ProjectDb, collection: number | null): Promise<Removal> {
  const table = sql`cell.documents`;
  const isWanted = sql`project_id = ${db.scope} AND (${collection}::int IS NULL OR collection = ${collection})`;
  if ((await removeSome(db, table, isWanted)) > 0) return 'some';
  const held = await db.query(sql`SELECT FROM ${table} WHERE ${isWanted} LIMIT 1`);
  return held.length > 0 ? 'held' : 'done';
}

/** Documents that hold files go one by one, the others with their table. Waits for nobody who still reads it. */
export async function removeOwnTables(db: ProjectDb, collection: number | null): Promise<Removal> {
  const [own] = await listOwnTables(db, collection);
  if (!own) return 'done';
  const isWanted = sql`project_id = ${db.scope} AND holds_files`;
  if ((await removeSome(db, ownTable(own), isWanted)) === 0) await dropOwnTable(db, own.number);
  return 'some';
}

/** Removes some documents that nobody has locked, and what is theirs; how many there were. */
async function removeSome(db: ProjectDb, table: Sql, isWanted: Sql): Promise<number> {
  const removed = await db.query<{ id: string; holds_files: boolean }>(
    sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM ${table} WHERE ${isWanted} LIMIT ${chunk} FOR UPDATE SKIP LOCKED)) RETURNING id, holds_files`,
  );
  const holders = removed.filter(({ holds_files: holdsFiles }) => holdsFiles).map(({ id }) => id);
  // Housekeeping removes the bytes of their files, in the same round that has called this.
  await releaseHeldBy(db, holders, { onLoose: () => {} });
  return removed.length;
}
