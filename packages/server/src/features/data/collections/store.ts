import { type Queryable, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import { requestRemoval } from '../../../platform/tables/removals-store.ts';
import type { Collection, CollectionIndex, CollectionSettings } from './collection.ts';
import { removeCountShards } from './count-store.ts';
import { readIndexField } from './index-field.ts';

/** The indexes come along: every call needs a collection with its indexes, and gets both by one statement. */
const columns = sql`project_id AS "projectId", number, id, name, settings, count_slots AS "countShards", home, epoch,
  stored_keys AS "storedKeys", created_at AS "createdAt", updated_at AS "updatedAt", (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', own.id, 'kind', own.kind, 'fields', own.fields, 'state', own.state,
      'isAutomatic', own.is_automatic, 'isStored', own.is_stored)), '[]')
    FROM cell.indexes AS own WHERE own.project_id = collections.project_id AND own.collection = collections.number
  ) AS indexes`;

type Row = Omit<Collection, 'indexes'> & {
  indexes: (Omit<CollectionIndex, 'fields'> & { fields: string[] })[];
};

function toCollection<Stored extends Row>(row: Stored) {
  const indexes = row.indexes.map((index) => ({ ...index, fields: index.fields.map(readIndexField) }));
  return { ...row, indexes };
}

/** Undefined if the name is taken. */
export async function insertCollection(
  db: ProjectDb,
  collection: { number: number; id: string; name: string; settings: CollectionSettings },
): Promise<Collection | undefined> {
  const [inserted] = await db.query<Row>(sql`
    INSERT INTO cell.collections (project_id, number, id, name, settings)
    VALUES (${db.scope}, ${collection.number}, ${collection.id}, ${collection.name}, ${collection.settings})
    ON CONFLICT (project_id, name) DO NOTHING
    RETURNING ${columns}`);
  return inserted && toCollection(inserted);
}

/** A number that no collection of the project had before. */
export async function takeNumber(db: ProjectDb): Promise<number> {
  const [taken] = await db.query<{ number: number }>(sql`
    INSERT INTO cell.project_numbers AS numbers (project_id, last_collection) VALUES (${db.scope}, 1)
    ON CONFLICT (project_id) DO UPDATE SET last_collection = numbers.last_collection + 1
    RETURNING last_collection AS number`);
  return taken!.number;
}

/** By name, id or `#number`: names have neither form. */
export async function findCollection(db: ProjectDb, key: string): Promise<Collection | undefined> {
  const which = key.startsWith('#')
    ? sql`number = ${Number(key.slice(1))}`
    : sql`(name = ${key} OR id::text = ${key})`;
  const [collection] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.collections WHERE project_id = ${db.scope} AND ${which}`,
  );
  return collection && toCollection(collection);
}

/** Which of these numbers belong to a collection. */
export async function listExisting(db: ProjectDb, numbers: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ number: number }>(
    sql`SELECT number FROM cell.collections WHERE project_id = ${db.scope} AND number = ANY (${numbers}::int[])`,
  );
  return rows.map(({ number }) => number);
}

export async function lockCollection(db: ProjectDb, number: number): Promise<Collection | undefined> {
  const [collection] = await db.query<Row>(sql`
    SELECT ${columns} FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number} FOR NO KEY UPDATE`);
  return collection && toCollection(collection);
}

export async function listCollections(
  db: ProjectDb,
  page: { limit: number; offset: number },
): Promise<(Collection & { documentCount: string })[]> {
  const rows = await db.query<Row & { documentCount: string }>(sql`
    SELECT ${columns}, (
      SELECT coalesce(sum(documents), 0) FROM cell.document_counts
      WHERE project_id = ${db.scope} AND collection = number) AS "documentCount"
    FROM cell.collections WHERE project_id = ${db.scope}
    ORDER BY name LIMIT ${page.limit} OFFSET ${page.offset}`);
  return rows.map(toCollection);
}

export async function countCollections(db: ProjectDb): Promise<number> {
  const [row] = await db.query<{ count: string }>(
    sql`SELECT count(*) AS count FROM cell.collections WHERE project_id = ${db.scope}`,
  );
  return Number(row?.count ?? 0);
}

/** Collections of all projects of a cell that anybody may create, change or delete documents in. */
export async function listOpenCollections(
  connection: Queryable,
  limit: number,
): Promise<{ projectId: string; name: string }[]> {
  return run(
    connection,
    sql`SELECT project_id AS "projectId", name FROM cell.collections
      WHERE 'public' IN (settings->'rules'->>'create', settings->'rules'->>'update', settings->'rules'->>'delete')
      LIMIT ${limit}`,
  );
}

/** How many collections there are, and how long their settings are as JSON. */
export async function measureCollections(db: ProjectDb): Promise<{ collections: number; bytes: number }> {
  const [row] = await db.query<{ count: string; bytes: string }>(sql`
    SELECT count(*) AS count, coalesce(sum(octet_length(settings::text)), 0) AS bytes
    FROM cell.collections WHERE project_id = ${db.scope}`);
  return { collections: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Nobody else changes a collection that is there until the transaction ends. */
export async function lockAllCollections(db: ProjectDb): Promise<void> {
  await db.query(sql`
    SELECT FROM cell.collections WHERE project_id = ${db.scope} ORDER BY number FOR NO KEY UPDATE`);
}

export async function updateCollection(
  db: ProjectDb,
  number: number,
  changes: { name?: string; settings?: CollectionSettings; countShards?: number },
): Promise<Collection> {
  const sets: Sql[] = [sql`updated_at = now()`];
  if (changes.name !== undefined) sets.push(sql`name = ${changes.name}`);
  if (changes.settings !== undefined) sets.push(sql`settings = ${changes.settings}`);
  if (changes.countShards !== undefined) sets.push(sql`count_slots = ${changes.countShards}`);
  const [collection] = await db.query<Row>(sql`
    UPDATE cell.collections SET ${join(sets, ', ')} WHERE project_id = ${db.scope} AND number = ${number}
    RETURNING ${columns}`);
  return toCollection(collection!);
}

/**
 * Removes the collection and asks for the removal of its documents. Removing the count shards waits for creates that are
 * under way; later ones find no shard and fail, so no document is left behind.
 */
export async function removeCollection(db: ProjectDb, number: number): Promise<boolean> {
  const removed = await db.query(sql`
    DELETE FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number} RETURNING true`);
  if (removed.length === 0) return false;
  await removeCountShards(db, number);
  await db.query(sql`DELETE FROM cell.indexes WHERE project_id = ${db.scope} AND collection = ${number}`);
  await requestRemoval(db, number);
  return true;
}

/** Tells every node that what it remembers of a collection under these names is out of date. */
export async function notifyChanged(db: ProjectDb, names: readonly string[]): Promise<void> {
  await db.query(sql`
    SELECT pg_notify('plinth', 'collection:' || ${db.scope}::bigint || '/' || name) FROM unnest(${names}::text[]) AS name`);
}
