import type { Path } from '@plinth/protocol';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { join, type Sql, sql } from '../../platform/db/sql.ts';
import { type Collection, type CollectionIndex, tableOf } from '../collections/index.ts';

/** What statements on unique values are about. */
export interface Constraint {
  readonly collection: Collection;
  readonly indexes: readonly CollectionIndex[];
}

/** A document about to be stored. */
export interface SentDocument {
  readonly id: string;
  /** Its fields as JSON text. */
  readonly data: string;
  /** Its place in a batch. */
  readonly index?: number;
}

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

/** How many documents one step of building takes, and rows one step of dropping. */
const steps = { documents: 2000, rows: 5000 };

/** Claims what new documents hold; the answer is what others hold already, or a document before it in the batch. */
export async function claimSent(
  db: ProjectDb,
  { collection, indexes }: Constraint,
  documents: readonly SentDocument[],
): Promise<Claim[]> {
  return claim(db, collection, valuesOf(indexes, sent(documents)));
}

/** The same for documents that are stored, which the transaction has locked. */
export async function claimStored(
  db: ProjectDb,
  constraint: Constraint,
  ids: readonly string[],
): Promise<Claim[]> {
  const { collection, indexes } = constraint;
  return claim(db, collection, valuesOf(indexes, stored(db, collection, ids)));
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
 * Everybody takes values in one order, and first those that are there already, so that hardly ever two wait for each
 * other. What another transaction is about to insert or delete is waited for by the insert itself.
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
    WITH wanted AS (${valuesOf(indexes, sent(documents))}), found AS MATERIALIZED (
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

/** Has what is taken in the order of an index read in that order, for the rest of the transaction: never all to be sorted. */
export async function walkInOrder(db: ProjectDb): Promise<void> {
  await db.query(sql`
    SELECT set_config('enable_bitmapscan', 'off', true) WHERE ${db.scope}::bigint IS NOT NULL`);
}

/** Lets nobody change the next documents of a collection for the rest of the transaction; at most as many as a step takes. */
export async function holdNext(
  db: ProjectDb,
  collection: Collection,
  after: string | undefined,
): Promise<{ ids: string[]; isLast: boolean }> {
  const found: string[] = [];
  for (const table of tableOf(collection).tables) {
    const rows = await db.query<{ id: string }>(sql`
      SELECT id FROM ${table} WHERE project_id = ${db.scope} AND collection = ${collection.number}
        AND id > ${after ?? firstId}::uuid ORDER BY id LIMIT ${steps.documents} FOR SHARE`);
    found.push(...rows.map(({ id }) => id));
  }
  const ids = found.toSorted().slice(0, steps.documents);
  return { ids, isLast: ids.length < steps.documents };
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** The values of a stored document at the fields of an index. */
export async function findValues(
  db: ProjectDb,
  { collection, indexes: [index] }: Constraint,
  id: string,
): Promise<unknown[]> {
  const [row] = await db.query<{ values: unknown[] }>(sql`
    SELECT jsonb_build_array(${join(valuesAt(index!), ', ')}) AS values FROM ${stored(db, collection, [id])}`);
  return row?.values ?? [];
}

/** Removes some of the values of an index that nobody keeps any more; how many. */
export async function removeSome(db: ProjectDb, { number }: Collection, indexId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    WITH removed AS (
      DELETE FROM cell.unique_values WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM cell.unique_values
        WHERE project_id = ${db.scope} AND index_id = ${indexId} AND collection = ${number}
        ORDER BY index_id, hash LIMIT ${steps.rows} FOR UPDATE)) RETURNING true)
    SELECT count(*)::int AS count FROM removed`);
  return row!.count;
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

function sent(documents: readonly SentDocument[]): Sql {
  return sql`ROWS FROM (
    unnest(${documents.map(({ id }) => id)}::uuid[]),
    unnest(${documents.map(({ index }, at) => index ?? at)}::int[]),
    jsonb_array_elements(${`[${documents.map(({ data }) => data).join(',')}]`}::jsonb)) AS own (id, at, data)`;
}

function stored(db: ProjectDb, collection: Collection, ids: readonly string[]): Sql {
  const found = tableOf(collection).tables.map(
    (table) => sql`SELECT id, 0 AS at, data FROM ${table}
      WHERE project_id = ${db.scope} AND collection = ${collection.number} AND id = ANY (${ids}::uuid[])`,
  );
  return sql`(${join(found, ' UNION ALL ')}) AS own`;
}

/** What documents hold in each index: nothing where a field is missing or null. */
function valuesOf(indexes: readonly CollectionIndex[], documents: Sql): Sql {
  const values = indexes.map((index) => {
    const fields = valuesAt(index);
    const isWhole = join(
      fields.map((field) => sql`${field} <> 'null'::jsonb`),
      ' AND ',
    );
    return sql`(${index.id}::uuid, CASE WHEN ${isWhole}
      THEN sha256(convert_to(jsonb_build_array(${join(fields, ', ')})::text, 'UTF8')) END)`;
  });
  return sql`SELECT value.index_id, value.hash, own.id AS document, own.at
    FROM ${documents} CROSS JOIN LATERAL (VALUES ${join(values, ', ')}) AS value (index_id, hash)
    WHERE value.hash IS NOT NULL`;
}

/** `->` with text enters objects only. */
function valuesAt({ fields }: CollectionIndex): Sql[] {
  const step = (key: Path[number]) => sql` -> ${key}::text`;
  return fields.map(({ path }) => sql`(own.data${join(path.map(step), '')})`);
}
