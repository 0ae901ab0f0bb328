import type { ProjectDb } from '../../platform/db/project-db.ts';
import { join, type Sql, sql } from '../../platform/db/sql.ts';
import type { Collection, CollectionIndex, CollectionSettings } from './collection.ts';
import { readIndexField } from './index-field.ts';

const columns = sql`project_id AS "projectId", number, id, name, settings, count_slots AS "countSlots", home, epoch,
  created_at AS "createdAt", updated_at AS "updatedAt", (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', own.id, 'kind', own.kind, 'fields', own.fields, 'state', own.state,
      'isAutomatic', own.is_automatic)), '[]')
    FROM cell.indexes AS own WHERE own.project_id = collections.project_id AND own.collection = collections.number
  ) AS indexes`;

type Row = Omit<Collection, 'indexes'> & {
  indexes: (Omit<CollectionIndex, 'fields'> & { fields: string[] })[];
};

function toCollection<Stored extends Row>(row: Stored) {
  const indexes = row.indexes.map((index) => ({ ...index, fields: index.fields.map(readIndexField) }));
  return { ...row, indexes };
}

/** Lets a taken name pass as "nothing inserted". */
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

export async function insertCountSlots(db: ProjectDb, number: number, slots: number): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.document_counts (project_id, collection, slot, documents, epoch)
    SELECT project_id, number, slot, 0, epoch FROM cell.collections, generate_series(0, ${slots - 1}) AS slot
    WHERE project_id = ${db.scope} AND number = ${number}
    ON CONFLICT DO NOTHING`);
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

/** Those of some numbers that collections have. */
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
  return Number(row!.count);
}

/** How many documents there are, without counting them. */
export async function countDocuments(db: ProjectDb, number: number): Promise<number> {
  const [row] = await db.query<{ count: string }>(
    sql`SELECT coalesce(sum(documents), 0) AS count FROM cell.document_counts
      WHERE project_id = ${db.scope} AND collection = ${number}`,
    'collections.count-documents',
  );
  return Number(row!.count);
}

export async function updateCollection(
  db: ProjectDb,
  number: number,
  changes: { name?: string; settings?: CollectionSettings; countSlots?: number },
): Promise<Collection> {
  const sets: Sql[] = [sql`updated_at = now()`];
  if (changes.name !== undefined) sets.push(sql`name = ${changes.name}`);
  if (changes.settings !== undefined) sets.push(sql`settings = ${changes.settings}`);
  if (changes.countSlots !== undefined) sets.push(sql`count_slots = ${changes.countSlots}`);
  const [collection] = await db.query<Row>(sql`
    UPDATE cell.collections SET ${join(sets, ', ')} WHERE project_id = ${db.scope} AND number = ${number}
    RETURNING ${columns}`);
  return toCollection(collection!);
}

/** Begins a new epoch of a collection that the transaction has locked. Creates learn of it by `closeSlot`. */
export async function beginEpoch(db: ProjectDb, number: number, home?: Collection['home']): Promise<void> {
  await db.query(sql`
    UPDATE cell.collections SET epoch = epoch + 1, home = coalesce(${home ?? null}, home)
    WHERE project_id = ${db.scope} AND number = ${number}`);
}

/** The count slots that still let in creates of an earlier epoch. */
export async function listOldSlots(db: ProjectDb, number: number): Promise<number[]> {
  const rows = await db.query<{ slot: number }>(sql`
    SELECT slot FROM cell.document_counts JOIN cell.collections USING (project_id)
    WHERE project_id = ${db.scope} AND number = ${number} AND collection = number
      AND document_counts.epoch < collections.epoch
    ORDER BY slot`);
  return rows.map(({ slot }) => slot);
}

/**
 * Closes a count slot to creates of an earlier epoch: waits for those under way, and later ones find it closed. One slot
 * at a time, so that creates wait for no more than each other.
 */
export async function closeSlot(db: ProjectDb, number: number, slot: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.document_counts SET epoch = (
      SELECT epoch FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number})
    WHERE project_id = ${db.scope} AND collection = ${number} AND slot = ${slot}
      AND EXISTS (SELECT FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number})`);
}

/**
 * Removes the collection and asks for the removal of its documents. Taking the count slots waits for creates under
 * way; later ones find no slot and fail, so no document is left behind.
 */
export async function removeCollection(db: ProjectDb, number: number): Promise<boolean> {
  const removed = await db.query(sql`
    DELETE FROM cell.collections WHERE project_id = ${db.scope} AND number = ${number} RETURNING true`);
  if (removed.length === 0) return false;
  await db.query(
    sql`DELETE FROM cell.document_counts WHERE project_id = ${db.scope} AND collection = ${number}`,
  );
  await db.query(sql`DELETE FROM cell.indexes WHERE project_id = ${db.scope} AND collection = ${number}`);
  await db.query(sql`INSERT INTO cell.purges (project_id, collection) VALUES (${db.scope}, ${number})`);
  return true;
}

/** Tells every node that what it remembers of a collection under these names is old. */
export async function notifyChanged(db: ProjectDb, names: readonly string[]): Promise<void> {
  await db.query(sql`
    SELECT pg_notify('plinth', 'collection:' || ${db.scope}::bigint || '/' || name) FROM unnest(${names}::text[]) AS name`);
}
