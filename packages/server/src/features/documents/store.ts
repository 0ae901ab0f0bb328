import type { ProjectDb } from '../../platform/db/project-db.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import type { PageSql } from '../query/index.ts';
import type { StoredDocument, WrittenDocument } from './document.ts';

interface Row {
  id: string;
  version: number;
  updated_at: string;
  data: string;
}

const columns = sql`own.id, own.version, own.updated_at, own.data::text AS data`;

function toDocument(row: Row): StoredDocument {
  return { id: row.id, version: row.version, updatedAt: Number(row.updated_at), data: row.data };
}

/**
 * Inserts documents and counts them, in one statement. The count slot comes first: without one the collection is
 * gone, nothing is inserted and the answer is undefined. Otherwise: how many documents the slot counts now.
 */
export async function insertDocuments(
  db: ProjectDb,
  { number, countSlots }: Collection,
  documents: readonly WrittenDocument[],
): Promise<number | undefined> {
  const [row] = await db.query<{ counted: string }>(
    sql`WITH slot AS (
      UPDATE cell.document_counts SET documents = documents + ${documents.length}
      WHERE project_id = ${db.scope} AND collection = ${number} AND slot = pg_backend_pid() % ${countSlots}::int
      RETURNING documents
    ), inserted AS (
      INSERT INTO cell.documents (project_id, collection, id, updated_at, holds_files, data)
      SELECT ${db.scope}, ${number}, new.id, new.updated_at, new.holds_files, new.data
      FROM slot, ROWS FROM (
        unnest(${documents.map(({ id }) => id)}::uuid[]),
        unnest(${documents.map(({ updatedAt }) => updatedAt)}::bigint[]),
        unnest(${documents.map(({ holdsFiles }) => holdsFiles)}::boolean[]),
        jsonb_array_elements(${jsonArray(documents)}::jsonb)) AS new (id, updated_at, holds_files, data)
    )
    SELECT documents AS counted FROM slot`,
    'documents.insert',
  );
  return row && Number(row.counted);
}

export async function findDocument(
  db: ProjectDb,
  collection: number,
  id: string,
): Promise<StoredDocument | undefined> {
  const [row] = await db.query<Row>(
    sql`SELECT ${columns} FROM cell.documents AS own
      WHERE own.project_id = ${db.scope} AND own.collection = ${collection} AND own.id = ${id}::uuid`,
    'documents.find',
  );
  return row && toDocument(row);
}

/** Locks documents for the rest of the transaction, always in the order of their ids so that none wait in a circle. */
export async function lockDocuments(
  db: ProjectDb,
  collection: number,
  ids: readonly string[],
): Promise<Map<string, WrittenDocument>> {
  const rows = await db.query<Row & { holdsFiles: boolean }>(
    sql`SELECT ${columns}, own.holds_files AS "holdsFiles" FROM cell.documents AS own
      WHERE own.project_id = ${db.scope} AND own.collection = ${collection} AND own.id = ANY (${ids}::uuid[])
      ORDER BY own.id FOR UPDATE`,
    'documents.lock',
  );
  return new Map(rows.map((row) => [row.id, { ...toDocument(row), holdsFiles: row.holdsFiles }]));
}

/** Locks documents without reading them; says which exist. */
export async function lockIds(
  db: ProjectDb,
  collection: number,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    sql`SELECT id FROM cell.documents
      WHERE project_id = ${db.scope} AND collection = ${collection} AND id = ANY (${ids}::uuid[])
      ORDER BY id FOR UPDATE`,
    'documents.lock-ids',
  );
  return new Set(rows.map(({ id }) => id));
}

/** Writes documents that the transaction has locked. */
export async function saveDocuments(
  db: ProjectDb,
  collection: number,
  documents: readonly WrittenDocument[],
): Promise<void> {
  await db.query(
    sql`UPDATE cell.documents AS stored SET version = new.version, updated_at = new.updated_at,
        holds_files = new.holds_files, data = new.data
      FROM ROWS FROM (
        unnest(${documents.map(({ id }) => id)}::uuid[]),
        unnest(${documents.map(({ version }) => version)}::int[]),
        unnest(${documents.map(({ updatedAt }) => updatedAt)}::bigint[]),
        unnest(${documents.map(({ holdsFiles }) => holdsFiles)}::boolean[]),
        jsonb_array_elements(${jsonArray(documents)}::jsonb)) AS new (id, version, updated_at, holds_files, data)
      WHERE stored.project_id = ${db.scope} AND stored.collection = ${collection} AND stored.id = new.id`,
    'documents.save',
  );
}

/** Deletes documents that the transaction has locked, and takes them off the count. Says which of them hold files. */
export async function removeDocuments(
  db: ProjectDb,
  { number, countSlots }: Collection,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`WITH removed AS (
      DELETE FROM cell.documents
      WHERE project_id = ${db.scope} AND collection = ${number} AND id = ANY (${ids}::uuid[])
      RETURNING id, holds_files
    ), counted AS (
      UPDATE cell.document_counts SET documents = documents - (SELECT count(*) FROM removed)
      WHERE project_id = ${db.scope} AND collection = ${number} AND slot = pg_backend_pid() % ${countSlots}::int
    )
    SELECT id FROM removed WHERE holds_files`,
    'documents.remove',
  );
  return rows.map(({ id }) => id);
}

/** One document, if it passes. */
export async function findPassing(
  db: ProjectDb,
  collection: number,
  id: string,
  where: Sql,
): Promise<StoredDocument | undefined> {
  const [row] = await db.query<Row>(sql`
    SELECT ${columns} FROM cell.documents AS own
    WHERE own.project_id = ${db.scope} AND own.collection = ${collection} AND own.id = ${id}::uuid AND ${where}`);
  return row && toDocument(row);
}

/** Those of some documents that pass. */
export async function listPassing(
  db: ProjectDb,
  collection: number,
  ids: readonly string[],
  where: Sql,
): Promise<StoredDocument[]> {
  const rows = await db.query<Row>(sql`
    SELECT ${columns} FROM cell.documents AS own
    WHERE own.project_id = ${db.scope} AND own.collection = ${collection} AND own.id = ANY (${ids}::uuid[]) AND ${where}`);
  return rows.map(toDocument);
}

/** One page, and the sort values of each row for a cursor. */
export async function listPage(db: ProjectDb, collection: number, page: PageSql) {
  const rows = await db.query<Row & { sort_values?: string }>(sql`
    SELECT ${columns}${page.sortColumns} FROM cell.documents AS own
    WHERE own.project_id = ${db.scope} AND own.collection = ${collection} AND ${page.where}
    ORDER BY ${page.orderBy} LIMIT ${page.limit} OFFSET ${page.offset}`);
  return rows.map((row) => ({
    item: toDocument(row),
    id: row.id,
    sortValues: row.sort_values === undefined ? [] : (JSON.parse(row.sort_values) as unknown[]),
  }));
}

/** How many match, counting no further than `upTo`. */
export async function countMatches(
  db: ProjectDb,
  collection: number,
  where: Sql,
  upTo: number | null,
): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    SELECT count(*) AS count FROM (
      SELECT FROM cell.documents AS own
      WHERE own.project_id = ${db.scope} AND own.collection = ${collection} AND ${where} LIMIT ${upTo}) AS matching`);
  return Number(row!.count);
}

function jsonArray(documents: readonly StoredDocument[]): string {
  return `[${documents.map(({ data }) => data).join(',')}]`;
}
