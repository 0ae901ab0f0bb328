import type { ClaimedKey, Events } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { Member, MemberRow } from '../../../platform/db/shared-statements.ts';
import { plainArray, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import { isMoving, tableOf } from '../placement/index.ts';
import { step, type WrittenDocument } from './document.ts';
import {
  type Asked,
  asked,
  type Beside,
  counted,
  current,
  isAsked,
  nothing,
  placesOf,
  ready,
  statementOf,
  tellingOf,
  type Written,
  written,
} from './shared-rows-store.ts';
import { type Row, toDocument } from './store.ts';

/*
 * What single calls do to single documents, in statements that they share with the calls of other projects. None of them
 * waits for a lock: a document that another transaction holds is left out, and the call that asked for it does it alone.
 */

/** Longer documents travel alone, so that others need not wait for them. */
const longest = 65_536;
/** PostgreSQL writes out a document that it merges several times, to count its bytes. */
const longestMerged = 16_384;

/** Can a call on one document of the collection share its statement? Not while its documents are in two tables. */
export function isShareable(collection: Collection): boolean {
  return !isMoving(collection);
}

/** Is a document short enough to travel with others, and what is told of it? */
export function isShort({ data }: Pick<WrittenDocument, 'data'>, events?: Events): boolean {
  return data.length <= longest && (events === undefined || events.bytes <= longest);
}

type FoundRow = MemberRow & Omit<Row, 'id'> & { holds_files: boolean; bytes: number };

/** One document; undefined if it is not there, or too long to travel with others. */
export async function findTogether(
  db: ProjectDb,
  collection: Collection,
  id: string,
): Promise<WrittenDocument | undefined> {
  const statement = { ...statementOf(collection, 'find', finding, nothing), alone: findingOne, isRead: true };
  const [row] = await db.together<Asked, FoundRow>(statement, { collection, id, beside: nothing });
  if (!row) return undefined;
  const { version, updated_at, data, holds_files: holdsFiles, bytes } = row;
  return { ...toDocument({ id, version, updated_at, data }), holdsFiles, bytes };
}

function finding(table: Sql, members: readonly Member<Asked>[]): Sql {
  // LIMIT keeps PostgreSQL from any other plan than one look into the primary key for each.
  return sql`SELECT member, own.version, own.updated_at, own.holds_files, own.bytes, own.data::text AS data
    FROM ${asked(members)} CROSS JOIN LATERAL (
      SELECT * FROM ${table} AS stored WHERE ${isAsked} AND ${isStoredWithin(longest)} LIMIT 1) AS own`;
}

function findingOne({ projectId, item: { collection, id } }: Member<Asked>): Sql {
  const { inserted: table } = tableOf(collection);
  return sql`SELECT 1 AS member, stored.version, stored.updated_at, stored.holds_files, stored.bytes,
      stored.data::text AS data
    FROM ${table} AS stored WHERE stored.project_id = ${projectId} AND stored.collection = ${collection.number}
      AND stored.id = ${id}::uuid AND ${isStoredWithin(longest)}`;
}

/** By its length, not by the room it takes: what is long may compress to little. Old documents have no length noted. */
function isStoredWithin(bytes: number): Sql {
  return sql`stored.bytes <= ${bytes} AND pg_column_size(stored.data) <= ${bytes}`;
}

/** Inserts a document and counts it; how many its slot counts now. Undefined: to be tried alone. */
export async function insertTogether(
  db: ProjectDb,
  collection: Collection,
  document: WrittenDocument,
  beside: Beside,
): Promise<number | undefined> {
  const [row] = await db.together<Written, MemberRow & { counted: string }>(
    statementOf(collection, 'insert', inserting, beside),
    { collection, id: document.id, document, beside },
  );
  if (row) beside.events?.committed();
  return row && Number(row.counted);
}

function inserting(table: Sql, members: readonly Member<Written>[]): Sql {
  return sql`WITH held AS MATERIALIZED (
      SELECT * FROM ${written(members)}
    ), ${counted(members, {
      condition: sql`counts.epoch <= wanted.epoch`,
      documents: sql`count(*)`,
      bytes: sql`sum(bytes)`,
    })}, inserted AS (
      INSERT INTO ${table} (project_id, collection, id, updated_at, bytes, data)
      SELECT project_id, collection, id, asked.updated_at, asked.bytes, asked.data
      FROM ready AS asked JOIN counted USING (project_id, collection, epoch)
    )${tellingOf(members)}
    SELECT member, counted.documents AS counted FROM ready JOIN counted USING (project_id, collection, epoch)`;
}

/** Writes a document if it is still the version before; false: to be tried alone. */
export async function saveTogether(
  db: ProjectDb,
  collection: Collection,
  { before, after }: { before: WrittenDocument; after: WrittenDocument },
  beside: Beside,
): Promise<boolean> {
  const statement =
    after.bytes === before.bytes
      ? statementOf(collection, 'save', saving, beside)
      : statementOf(collection, 'save and count', savingCounted, beside);
  const rows = await db.together(statement, { collection, id: after.id, document: after, beside });
  if (rows.length > 0) beside.events?.committed();
  return rows.length > 0;
}

function saving(table: Sql, members: readonly Member<Written>[]): Sql {
  return sql`WITH held AS MATERIALIZED (
      SELECT asked.* FROM ${written(members)} CROSS JOIN LATERAL (
        SELECT FROM ${table} AS stored WHERE ${isAsked} AND stored.version = asked.version - 1
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS stored
    ), ${current}, ${ready(members, sql`current`)}${tellingOf(members)}
    UPDATE ${table} AS stored SET version = asked.version, updated_at = asked.updated_at, data = asked.data
    FROM ready AS asked WHERE ${isAsked}
    RETURNING member`;
}

/** The same for documents that count more or less than before. */
function savingCounted(table: Sql, members: readonly Member<Written>[]): Sql {
  return sql`WITH held AS MATERIALIZED (
      SELECT asked.*, asked.bytes - stored.bytes AS added_bytes FROM ${written(members)} CROSS JOIN LATERAL (
        SELECT bytes FROM ${table} AS stored WHERE ${isAsked} AND stored.version = asked.version - 1
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS stored
    ), ${current}, ${counted(members, {
      condition: sql`(wanted.project_id, wanted.collection, wanted.epoch) IN (SELECT * FROM current)`,
      documents: sql`0`,
      bytes: sql`sum(added_bytes)`,
    })}${tellingOf(members)}
    UPDATE ${table} AS stored
    SET version = asked.version, updated_at = asked.updated_at, bytes = asked.bytes, data = asked.data
    FROM ready AS asked JOIN counted USING (project_id, collection, epoch) WHERE ${isAsked}
    RETURNING member`;
}

/** A document whose fields were set, and its fields before, as they were stored. */
export interface Merged {
  readonly version: number;
  readonly updatedAt: number;
  readonly before: string;
}

/**
 * Sets fields of a document, whatever it holds, if it is short, has no files and still counts as many bytes. Undefined: to
 * be done with a look at it.
 */
export async function mergeTogether(
  db: ProjectDb,
  collection: Collection,
  { id, patch }: { id: string; patch: string },
): Promise<Merged | undefined> {
  const [row] = await db.together<Patched, MemberRow & Omit<Row, 'id' | 'data'> & { before: string }>(
    statementOf(collection, 'merge', merging, nothing),
    { collection, id, patch, beside: nothing },
  );
  return row && { version: row.version, updatedAt: Number(row.updated_at), before: row.before };
}

interface Patched extends Asked {
  /** Fields as JSON. */
  readonly patch: string;
}

/** Of several that would change the same document, one does. */
function merging(table: Sql, members: readonly Member<Patched>[]): Sql {
  return sql`WITH held AS MATERIALIZED (
      SELECT asked.*, stored.version, stored.changed_at, stored.before, stored.after
      FROM ROWS FROM (
        ${placesOf(members)},
        unnest(${plainArray(members.map(({ item }) => item.id))}::uuid[]),
        jsonb_array_elements(${`[${members.map(({ item }) => item.patch).join(',')}]`}::jsonb))
      WITH ORDINALITY AS asked (project_id, collection, epoch, id, patch, member) CROSS JOIN LATERAL (
        SELECT stored.version, stored.updated_at AS changed_at, stored.bytes, stored.data AS before,
          stored.data || asked.patch AS after
        FROM ${table} AS stored WHERE ${isAsked} AND ${isStoredWithin(longestMerged)} AND NOT stored.holds_files
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS stored
      WHERE ${countsAsBefore}
    ), ${current}, ${ready(members, sql`current`)}
    UPDATE ${table} AS stored
    SET version = asked.version + 1, updated_at = greatest(${Date.now()}::bigint, asked.changed_at + 1),
      data = asked.after
    FROM ready AS asked WHERE ${isAsked}
    RETURNING member, stored.version, stored.updated_at, asked.before::text AS before`;
}

/**
 * Does a document count as many bytes as before? Bytes are counted without the spaces in PostgreSQL's text, which are left
 * out by `json_strip_nulls`; nothing else is, once a null is another word of its length. A number that `countedBytes` would
 * write with an exponent makes it uncertain.
 */
const countsAsBefore = sql`ceil(octet_length(
        json_strip_nulls(replace(stored.after::text, ': null', ': true')::json)::text) / ${step}::float8) * ${step} = stored.bytes
      AND (stored.after::text LIKE '%00000%' AND stored.after::text ~ '\\d{22}|0\\.000000') IS FALSE`;

/** Deletes a document that holds no files, and takes it off the count; false: to be tried alone. */
export async function removeTogether(
  db: ProjectDb,
  collection: Collection,
  id: string,
  key?: ClaimedKey,
): Promise<boolean> {
  const beside = { key };
  const statement = statementOf(collection, 'remove', removing, beside);
  const rows = await db.together(statement, { collection, id, beside });
  return rows.length > 0;
}

/** Of several that would delete the same document, one does. */
function removing(table: Sql, members: readonly Member<Asked>[]): Sql {
  return sql`WITH held AS MATERIALIZED (
      SELECT DISTINCT ON (asked.project_id, asked.collection, asked.id) asked.*, stored.bytes
      FROM ${asked(members)} CROSS JOIN LATERAL (
        SELECT bytes FROM ${table} AS stored WHERE ${isAsked} AND NOT stored.holds_files
        LIMIT 1 FOR UPDATE SKIP LOCKED) AS stored
      ORDER BY asked.project_id, asked.collection, asked.id, asked.member
    ), ${current}, ${counted(members, {
      condition: sql`(wanted.project_id, wanted.collection, wanted.epoch) IN (SELECT * FROM current)`,
      documents: sql`-count(*)`,
      bytes: sql`-sum(bytes)`,
    })}
    DELETE FROM ${table} AS stored USING ready AS asked JOIN counted USING (project_id, collection, epoch)
    WHERE ${isAsked} RETURNING member`;
}
