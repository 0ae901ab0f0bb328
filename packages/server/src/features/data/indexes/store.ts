import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { IndexRow } from './collection-index.ts';

const columns = sql`id, kind, fields, state, failure, is_automatic AS "isAutomatic", reason, done, total,
  created_at AS "createdAt", ready_at AS "readyAt"`;

type Row = IndexRow & Record<string, unknown>;

export async function listIndexes(db: ProjectDb, collection: number): Promise<IndexRow[]> {
  return db.query<Row>(sql`
    SELECT ${columns} FROM cell.indexes WHERE project_id = ${db.scope} AND collection = ${collection}
    ORDER BY created_at, id`);
}

/** How many indexes a project has, those that the service made included. */
export async function countIndexes(db: ProjectDb): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT count(*) AS count FROM cell.indexes WHERE project_id = ${db.scope} AND state <> 'dropping'`);
  return Number(row?.count ?? 0);
}

export interface NewIndex extends Pick<IndexRow, 'kind' | 'fields' | 'state' | 'isAutomatic' | 'reason'> {
  readonly id: string;
}

/** Adds an index. One that the service made becomes the project's own if the project asks for it. Undefined if there is one already. */
export async function insertIndex(
  db: ProjectDb,
  collection: number,
  index: NewIndex,
): Promise<IndexRow | undefined> {
  const { id, kind, fields, state, isAutomatic, reason } = index;
  const [row] = await db.query<Row>(sql`
    INSERT INTO cell.indexes AS known (project_id, collection, id, kind, fields, state, is_automatic, reason)
    VALUES (${db.scope}, ${collection}, ${id}, ${kind}, ${fields}::text[], ${state}, ${isAutomatic}, ${reason})
    ON CONFLICT (project_id, collection, kind, fields) WHERE state <> 'dropping' DO UPDATE SET
      is_automatic = false, reason = NULL
    WHERE known.is_automatic AND NOT excluded.is_automatic
    RETURNING ${columns}`);
  return row;
}

export async function updateIndex(
  db: ProjectDb,
  collection: number,
  id: string,
  {
    state,
    failure = null,
    isStored = false,
  }: { state: IndexRow['state']; failure?: string | null; isStored?: boolean },
): Promise<void> {
  await db.query(sql`
    UPDATE cell.indexes SET state = ${state}, failure = ${failure}, done = NULL, total = NULL,
      is_stored = ${isStored}, ready_at = CASE WHEN ${state} = 'ready' THEN now() END, used_at = now()
    WHERE project_id = ${db.scope} AND collection = ${collection} AND id = ${id}`);
}

/** Marks indexes that waited for the collection to grow as being built. */
export async function beginRecorded(db: ProjectDb, collection: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.indexes SET state = 'building'
    WHERE project_id = ${db.scope} AND collection = ${collection} AND state = 'recorded'`);
}

/** Notes how far the building of one index is, or the work that all of them wait for. */
export async function saveProgress(
  db: ProjectDb,
  collection: number,
  { id = null, done, total }: { id?: string | null; done: number; total: number },
): Promise<void> {
  await db.query(sql`
    UPDATE cell.indexes SET done = least(${done}::bigint, ${total}::bigint), total = ${total}
    WHERE project_id = ${db.scope} AND collection = ${collection} AND state = 'building'
      AND (${id}::uuid IS NULL OR id = ${id}::uuid)`);
}

export async function removeIndex(db: ProjectDb, collection: number, id: string): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.indexes WHERE project_id = ${db.scope} AND collection = ${collection} AND id = ${id}
    RETURNING true`);
  return rows.length === 1;
}
