import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import { type CountedRow, isCut, withinBytes } from '../../../platform/db/within-bytes.ts';
import { addToCount, type Collection } from '../collections/index.ts';
import { epochOf, isInEpoch, tableOf } from '../placement/index.ts';
import type { StoredDocument, WrittenDocument } from './document.ts';

export interface Row {
  id: string;
  version: number;
  updated_at: string;
  data: string;
}

export const columns = sql`own.id, own.version, own.updated_at, own.data::text AS data`;

/** A row as the document that it holds. */
export function toDocument(row: Row): StoredDocument {
  return { id: row.id, version: row.version, updatedAt: Number(row.updated_at), data: row.data };
}

/** The rows of a collection, in whatever table, under the alias `own`. */
export function inCollection(db: ProjectDb, { number }: Collection): Sql {
  return sql`own.project_id = ${db.scope} AND own.collection = ${number}`;
}

/**
 * Inserts documents and counts them, in one statement. The count slot comes first: without one that is open to the epoch
 * that the writer knows nothing is inserted, and the answer is undefined. Otherwise: how many documents the slot counts
 * now.
 */
export async function insertDocuments(
  db: ProjectDb,
  collection: Collection,
  documents: readonly WrittenDocument[],
): Promise<number | undefined> {
  const { number } = collection;
  const { inserted, named } = tableOf(collection);
  const [row] = await db.query<{ counted: string }>(
    sql`WITH slot AS (
      ${addToCount(db, collection, {
        documents: sql`${documents.length}`,
        bytes: sql`${documents.reduce((sum, { bytes }) => sum + bytes, 0)}`,
        condition: sql`epoch <= ${epochOf(collection)}`,
      })}
      RETURNING documents
    ), inserted AS (
      INSERT INTO ${inserted} (project_id, collection, id, updated_at, holds_files, bytes, data)
      SELECT ${db.scope}, ${number}, new.id, new.updated_at, new.holds_files, new.bytes, new.data
      FROM slot, ROWS FROM (
        unnest(${documents.map(({ id }) => id)}::uuid[]),
        unnest(${documents.map(({ updatedAt }) => updatedAt)}::bigint[]),
        unnest(${documents.map(({ holdsFiles }) => holdsFiles)}::boolean[]),
        unnest(${documents.map(({ bytes }) => bytes)}::int[]),
        jsonb_array_elements(${jsonArray(documents)}::jsonb)) AS new (id, updated_at, holds_files, bytes, data)
    )
    SELECT documents AS counted FROM slot`,
    named('documents.insert'),
  );
  if (!row) await requireEpoch(db, collection);
  return row && Number(row.counted);
}

/** What was not found may be where the collection has moved to: fails if it has. */
async function requireEpoch(db: ProjectDb, collection: Collection): Promise<void> {
  await db.read(sql`SELECT ${isInEpoch([collection])} WHERE ${db.scope}::bigint IS NOT NULL`);
}

export async function findDocument(
  db: ProjectDb,
  collection: Collection,
  id: string,
): Promise<StoredDocument | undefined> {
  const { tables, named } = tableOf(collection);
  const [row] = await db.read<Row>(
    fromEach(
      tables,
      (table) =>
        sql`SELECT ${columns} FROM ${table} AS own WHERE ${inCollection(db, collection)} AND own.id = ${id}::uuid`,
    ),
    named('documents.find'),
  );
  if (!row) await requireEpoch(db, collection);
  return row && toDocument(row);
}

/** Some documents, without a lock. */
export async function findDocuments(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<Map<string, StoredDocument>> {
  const { tables, named } = tableOf(collection);
  const rows = await db.read<Row>(
    fromEach(
      tables,
      (table) =>
        sql`SELECT ${columns} FROM ${table} AS own WHERE ${inCollection(db, collection)} AND own.id = ANY(${ids}::uuid[])`,
    ),
    named('documents.find-several'),
  );
  if (rows.length < ids.length) await requireEpoch(db, collection);
  return new Map(rows.map((row) => [row.id, toDocument(row)]));
}

/** Those of the ids that documents have. */
export async function findIds(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<string[]> {
  const { tables, named } = tableOf(collection);
  const rows = await db.read<{ id: string }>(
    fromEach(
      tables,
      (table) =>
        sql`SELECT own.id FROM ${table} AS own WHERE ${inCollection(db, collection)} AND own.id = ANY(${ids}::uuid[])`,
    ),
    named('documents.find-ids'),
  );
  return rows.map(({ id }) => id);
}

/** Locks documents for the rest of the transaction, always in the order of their ids so that none wait in a circle. */
export async function lockDocuments(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<Map<string, WrittenDocument>> {
  const found = await lockRows<Row & { holdsFiles: boolean; bytes: number }>(db, collection, ids, {
    columns: sql`${columns}, own.holds_files AS "holdsFiles", own.bytes`,
    name: 'documents.lock',
  });
  return new Map(
    found.map((row) => [row.id, { ...toDocument(row), holdsFiles: row.holdsFiles, bytes: row.bytes }]),
  );
}

/** Locks documents without reading them; says which exist. */
export async function lockIds(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await lockRows(db, collection, ids, { columns: sql`own.id`, name: 'documents.lock-ids' });
  return new Set(found.map(({ id }) => id));
}

async function lockRows<Found extends { id: string }>(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
  { columns, name }: { columns: Sql; name: string },
): Promise<Found[]> {
  const { tables, named } = tableOf(collection);
  const found: Found[] = [];
  for (const table of tables) {
    const rows = await db.query<Found>(
      sql`SELECT ${columns} FROM ${table} AS own
        WHERE ${inCollection(db, collection)} AND own.id = ANY (${ids}::uuid[]) ORDER BY own.id FOR UPDATE`,
      named(name),
    );
    found.push(...rows);
  }
  if (found.length < ids.length) await requireEpoch(db, collection);
  return found;
}

/** Writes documents that the transaction has locked, and counts the bytes that they have more or less than before. */
export async function saveDocuments(
  db: ProjectDb,
  collection: Collection,
  documents: readonly WrittenDocument[],
  addedBytes: number,
): Promise<void> {
  const { tables, named } = tableOf(collection);
  for (const table of tables) {
    await db.query(
      sql`UPDATE ${table} AS own SET version = new.version, updated_at = new.updated_at,
          holds_files = new.holds_files, bytes = new.bytes, data = new.data
        FROM ROWS FROM (
          unnest(${documents.map(({ id }) => id)}::uuid[]),
          unnest(${documents.map(({ version }) => version)}::int[]),
          unnest(${documents.map(({ updatedAt }) => updatedAt)}::bigint[]),
          unnest(${documents.map(({ holdsFiles }) => holdsFiles)}::boolean[]),
          unnest(${documents.map(({ bytes }) => bytes)}::int[]),
          jsonb_array_elements(${jsonArray(documents)}::jsonb)) AS new (id, version, updated_at, holds_files, bytes, data)
        WHERE ${inCollection(db, collection)} AND own.id = new.id AND ${isInEpoch([collection])}
          -- Said twice: without statistics the join alone would be expected to meet much of the collection, and read it all.
          AND own.id = ANY (${documents.map(({ id }) => id)}::uuid[])`,
      named('documents.save'),
    );
  }
  if (addedBytes !== 0)
    await db.query(
      addToCount(db, collection, { documents: sql`0`, bytes: sql`${addedBytes}` }),
      'documents.count-bytes',
    );
}

/** Deletes documents that the transaction has locked, and takes them off the count. Says which of them hold files. */
export async function removeDocuments(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<string[]> {
  const { tables, named } = tableOf(collection);
  const deletions = tables.map(
    (table, at) => sql`${removedFrom[at]} AS (
      DELETE FROM ${table} AS own
      WHERE ${inCollection(db, collection)} AND own.id = ANY (${ids}::uuid[]) AND ${isInEpoch([collection])}
      RETURNING own.id, own.holds_files, own.bytes)`,
  );
  const removed = tables.map((_, at) => sql`SELECT id, holds_files, bytes FROM ${removedFrom[at]}`);
  const rows = await db.query<{ id: string }>(
    sql`WITH ${join(deletions, ', ')}, removed AS (${join(removed, ' UNION ALL ')}), counted AS (
      ${addToCount(db, collection, {
        documents: sql`-(SELECT count(*) FROM removed)`,
        bytes: sql`-(SELECT coalesce(sum(bytes), 0) FROM removed)`,
      })}
    )
    SELECT id FROM removed WHERE holds_files`,
    named('documents.remove'),
  );
  return rows.map(({ id }) => id);
}

const removedFrom = [sql`removed_here`, sql`removed_there`];

/** One document, if it passes. */
export async function findPassing(
  db: ProjectDb,
  collection: Collection,
  id: string,
  where: Sql,
): Promise<StoredDocument | undefined> {
  const [document] = await listPassing(db, collection, { ids: [id], where, bytes: 1 });
  return document;
}

/** Those of some documents that pass, as long as they have so many bytes together. */
export async function listPassing(
  db: ProjectDb,
  collection: Collection,
  { ids, where, bytes }: { ids: readonly string[]; where: Sql; bytes: number },
): Promise<StoredDocument[]> {
  const { tables, isComplete } = tableOf(collection);
  const passing = fromEach(
    tables,
    (table) => sql`SELECT ${columns} FROM ${table} AS own
        WHERE ${inCollection(db, collection)} AND own.id = ANY (${ids}::uuid[]) AND ${isComplete} AND ${where}`,
  );
  const found = await db.read<Row>(withinBytes(passing, bytes));
  return found.map(toDocument);
}

/** A document, if it is of this version now. */
export async function findVersion(
  db: ProjectDb,
  collection: Collection,
  { id, version }: Pick<StoredDocument, 'id' | 'version'>,
): Promise<StoredDocument | undefined> {
  const where = sql`own.version = ${version}`;
  return findPassing(db, collection, id, where);
}

/** Which version of some documents is there now. */
export async function listVersions(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<Pick<StoredDocument, 'id' | 'version' | 'updatedAt'>[]> {
  const { tables, isComplete } = tableOf(collection);
  const rows = await db.read<Omit<Row, 'data'>>(
    fromEach(
      tables,
      (table) => sql`SELECT own.id, own.version, own.updated_at FROM ${table} AS own
        WHERE ${inCollection(db, collection)} AND own.id = ANY (${ids}::uuid[]) AND ${isComplete}`,
    ),
  );
  return rows.map(({ id, version, updated_at }) => ({ id, version, updatedAt: Number(updated_at) }));
}

/** Documents that pass, in the order of their ids, after one of them: so many, as long as they have so many bytes. */
export async function listAfter(
  db: ProjectDb,
  collection: Collection,
  { where = sql`true`, after, limit, bytes }: { where?: Sql; after: string; limit: number; bytes: number },
): Promise<{ documents: StoredDocument[]; hasMore: boolean }> {
  const { tables, isComplete } = tableOf(collection);
  const found = fromEach(
    tables,
    (table) => sql`(SELECT ${columns} FROM ${table} AS own
        WHERE ${inCollection(db, collection)} AND own.id > ${after}::uuid AND ${isComplete} AND ${where}
        ORDER BY own.id LIMIT ${limit})`,
  );
  const page = sql`SELECT * FROM (${found}) AS found ORDER BY id LIMIT ${limit}`;
  const rows = await db.read<Row & CountedRow>(withinBytes(page, bytes));
  return { documents: rows.map(toDocument), hasMore: rows.length === limit || isCut(rows) };
}

/** A statement on every table that may hold the documents, as one. */
export function fromEach(tables: readonly Sql[], statement: (table: Sql) => Sql): Sql {
  return join(tables.map(statement), ' UNION ALL ');
}

function jsonArray(documents: readonly StoredDocument[]): string {
  return `[${documents.map(({ data }) => data).join(',')}]`;
}
