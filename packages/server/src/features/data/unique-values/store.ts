import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import { type Constraint, type SentDocument, valuesOfSent, valuesOfStored } from './values-store.ts';

/** The values of a document in an index. */
interface HeldValue {
  readonly indexId: string;
  readonly hash: Buffer;
  readonly document: string;
}

export interface Claim extends HeldValue {
  /** The place of the document among those that were sent: of two with the same values the first has them. */
  readonly at: number;
}

type Row<Columns> = Columns & Record<string, unknown>;

/** Claims what new documents hold; the answer is what others, or documents earlier in the batch, hold already. */
export async function claimSent(
  db: ProjectDb,
  { collection, indexes }: Constraint,
  documents: readonly SentDocument[],
): Promise<Claim[]> {
  return claim(db, collection, valuesOfSent(indexes, documents));
}

/** The same for documents that are stored, which the transaction has locked. */
export async function claimStored(
  db: ProjectDb,
  constraint: Constraint,
  ids: readonly string[],
): Promise<Claim[]> {
  return claim(db, constraint.collection, valuesOfStored(db, constraint, ids));
}

/** The same for claims that were found before. */
export async function claimFound(
  db: ProjectDb,
  collection: Collection,
  claims: readonly Claim[],
): Promise<Claim[]> {
  return claim(
    db,
    collection,
    sql`SELECT * FROM ROWS FROM (
      unnest(${claims.map(({ indexId }) => indexId)}::uuid[]), unnest(${claims.map(({ hash }) => hash)}::bytea[]),
      unnest(${claims.map(({ document }) => document)}::uuid[]), unnest(${claims.map(({ at }) => at)}::int[])
    ) AS found (index_id, hash, document, at)`,
  );
}

/**
 * Everybody takes values in one order, and first those that are there already, so that two hardly ever wait for each
 * other. The insert itself waits for what another transaction is about to insert or delete.
 */
async function claim(db: ProjectDb, { number }: Collection, wanted: Sql): Promise<Claim[]> {
  return db.query<Row<Claim>>(sql`
    WITH wanted AS (${wanted}), met AS (
      SELECT FROM (SELECT index_id, hash FROM wanted ORDER BY index_id, hash) AS given, ${rowOf(db, sql`FOR SHARE`)}
    ), claimed AS (
      INSERT INTO cell.unique_values (project_id, collection, index_id, hash, document)
      SELECT ${db.scope}, ${number}, index_id, hash, document FROM wanted
      WHERE (SELECT count(*) FROM met) >= 0 ORDER BY index_id, hash, at, document
      ON CONFLICT (project_id, index_id, hash) DO NOTHING
      RETURNING index_id, document
    )
    SELECT index_id AS "indexId", hash, document, at FROM wanted
    WHERE NOT EXISTS (
      SELECT FROM claimed WHERE claimed.index_id = wanted.index_id AND claimed.document = wanted.document)
    ORDER BY at, index_id, document`);
}

/** What changed documents hold and should not, and what they should hold and do not. */
export async function findChanges(
  db: ProjectDb,
  { collection, indexes }: Constraint,
  documents: readonly SentDocument[],
): Promise<{ stale: HeldValue[]; fresh: Claim[] }> {
  const { number } = collection;
  const rows = await db.query<Row<Claim & { isHeld: boolean | null }>>(sql`
    WITH wanted AS (${valuesOfSent(indexes, documents)}), found AS MATERIALIZED (
      SELECT index_id, hash, document FROM cell.unique_values
      WHERE project_id = ${db.scope} AND collection = ${number}
        AND document = ANY (${documents.map(({ id }) => id)}::uuid[])
    ), held AS (
      SELECT *, true AS is_held FROM found WHERE index_id = ANY (${indexes.map(({ id }) => id)}::uuid[])
    )
    SELECT index_id AS "indexId", hash, document, at, is_held AS "isHeld"
    FROM wanted FULL JOIN held USING (index_id, hash, document) WHERE at IS NULL OR is_held IS NULL`);
  return { stale: rows.filter(({ isHeld }) => isHeld), fresh: rows.filter(({ isHeld }) => !isHeld) };
}

/** Gives up what is stale. What is to be claimed next is locked along with it, all in the one order. */
export async function giveUp(
  db: ProjectDb,
  { stale, fresh }: { stale: readonly HeldValue[]; fresh: readonly Claim[] },
): Promise<void> {
  const touched = [...stale, ...fresh];
  await db.query(sql`
    WITH locked AS (
      SELECT own.place, given.is_stale FROM (
        SELECT * FROM ROWS FROM (
          unnest(${touched.map(({ indexId }) => indexId)}::uuid[]), unnest(${touched.map(({ hash }) => hash)}::bytea[]),
          unnest(${touched.map((_, at) => at < stale.length)}::boolean[])
        ) AS touched (index_id, hash, is_stale) ORDER BY index_id, hash) AS given, ${rowOf(db, sql`FOR UPDATE`)}
    )
    DELETE FROM cell.unique_values WHERE ctid = ANY (ARRAY (SELECT place FROM locked WHERE is_stale))`);
}

/** Gives up all that documents hold, also in indexes that are about to go. */
export async function giveUpAll(
  db: ProjectDb,
  { number }: Collection,
  documents: readonly string[],
): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.unique_values WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM cell.unique_values
      WHERE project_id = ${db.scope} AND collection = ${number} AND document = ANY (${documents}::uuid[])
      ORDER BY index_id, hash FOR UPDATE))`);
}

/** The documents that hold claimed values now. */
export async function findHolders(db: ProjectDb, claims: readonly Claim[]): Promise<HeldValue[]> {
  return db.query<Row<HeldValue>>(sql`
    SELECT given.index_id AS "indexId", given.hash, own.document FROM ROWS FROM (
      unnest(${claims.map(({ indexId }) => indexId)}::uuid[]), unnest(${claims.map(({ hash }) => hash)}::bytea[])
    ) AS given (index_id, hash), ${rowOf(db, sql``)}`);
}

/**
 * The row, if there is one, of each index and hash that is `given`. One look-up for each, in their order, also where
 * PostgreSQL does not know how many rows there are.
 */
function rowOf(db: ProjectDb, lock: Sql): Sql {
  return sql`LATERAL (
    SELECT own.ctid AS place, own.document FROM cell.unique_values AS own
    WHERE own.project_id = ${db.scope} AND own.index_id = given.index_id AND own.hash = given.hash
    LIMIT 1 ${lock}) AS own`;
}
