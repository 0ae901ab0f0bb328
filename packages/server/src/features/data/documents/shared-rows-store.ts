import { type ClaimedKey, claimingKeys, type Events, keyColumns, keyValues } from '../../../calls/index.ts';
import type { Member, SharedStatement } from '../../../platform/db/shared-statements.ts';
import { plainArray, type Sql, sql } from '../../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import { epochOf, tableOf } from '../placement/index.ts';
import type { WrittenDocument } from './document.ts';

/* What the statements of `shared-store.ts` are made of: which rows they ask for, hold and count, their keys and events. */

export interface Asked {
  readonly collection: Collection;
  readonly id: string;
  readonly beside: Beside;
}

/** What the same statement does beside its work. */
export interface Beside {
  /** An Idempotency-Key that it claims. */
  readonly key?: ClaimedKey | undefined;
  /** What it writes down for those who want to be told. */
  readonly events?: Events | undefined;
}

export const nothing: Beside = Object.freeze({});

/** A document as it is to be stored. */
export interface Written extends Asked {
  readonly document: WrittenDocument;
}

/** The row that a member asks for. */
export const isAsked = sql`stored.project_id = asked.project_id AND stored.collection = asked.collection AND stored.id = asked.id`;

/** Collections whose epoch is the one that the member knows, looked at after the rows are held. */
export const current = sql`known AS MATERIALIZED (
      SELECT DISTINCT project_id, collection, epoch FROM held
    ), current AS MATERIALIZED (
      SELECT * FROM known WHERE cell.epoch_now(project_id, collection) = epoch
    )`;

/**
 * Counts what members do, in slots that nobody else is counting in. A slot is held before keys are claimed: whatever has
 * claimed its key is done.
 */
export function counted(
  members: readonly Member<Asked>[],
  { condition, documents, bytes }: { condition: Sql; documents: Sql; bytes: Sql },
): Sql {
  return sql`wanted AS (
      SELECT DISTINCT project_id, collection, epoch FROM held
    ), place AS MATERIALIZED (
      SELECT wanted.*, free.slot FROM wanted CROSS JOIN LATERAL (
        SELECT counts.slot FROM cell.document_counts AS counts
        WHERE counts.project_id = wanted.project_id AND counts.collection = wanted.collection AND ${condition}
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS free
    ), ${ready(members, sql`place`)}, added AS (
      SELECT project_id, collection, epoch, ${documents} AS documents, ${bytes} AS bytes
      FROM ready GROUP BY project_id, collection, epoch
    ), counted AS (
      UPDATE cell.document_counts AS counts
      SET documents = counts.documents + added.documents, bytes = counts.bytes + added.bytes
      FROM place JOIN added USING (project_id, collection, epoch)
      WHERE counts.project_id = place.project_id AND counts.collection = place.collection
        AND counts.slot = place.slot
      RETURNING counts.project_id, counts.collection, place.epoch, counts.documents
    )`;
}

/** What is held, of the collections of a table, once its keys are claimed. */
export function ready(members: readonly Member<Asked>[], collections: Sql): Sql {
  const found = sql`SELECT held.* FROM held JOIN ${collections} USING (project_id, collection, epoch)`;
  if (keysIn(members).length === 0) return sql`ready AS MATERIALIZED (${found})`;
  return sql`claimable AS MATERIALIZED (${found}), claimed AS (${claimingKeys(sql`claimable`)}), ready AS MATERIALIZED (
      -- Not a join, which would compare each with each.
      SELECT * FROM claimable WHERE (key_hash IN (SELECT key_hash FROM claimed)) IS TRUE
    )`;
}

export function asked(members: readonly Member<Asked>[]): Sql {
  return sql`ROWS FROM (
        ${placesOf(members)},
        unnest(${plainArray(members.map(({ item }) => item.id))}::uuid[])${keysOf(members)})
      WITH ORDINALITY AS asked (project_id, collection, epoch, id${keyNames(members)}, member)`;
}

export function written(members: readonly Member<Written>[]): Sql {
  const documents = members.map(({ item }) => item.document);
  return sql`ROWS FROM (
        ${placesOf(members)},
        unnest(${plainArray(documents.map(({ id }) => id))}::uuid[]),
        unnest(${plainArray(documents.map(({ version }) => version))}::int[]),
        unnest(${plainArray(documents.map(({ updatedAt }) => updatedAt))}::bigint[]),
        unnest(${plainArray(documents.map(({ bytes }) => bytes))}::int[]),
        jsonb_array_elements(${`[${documents.map(({ data }) => data).join(',')}]`}::jsonb)${keysOf(members)})
      WITH ORDINALITY
      AS asked (project_id, collection, epoch, id, version, updated_at, bytes, data${keyNames(members)}, member)`;
}

export function placesOf(members: readonly Member<Asked>[]): Sql {
  return sql`unnest(${plainArray(members.map(({ projectId }) => projectId))}::bigint[]),
        unnest(${plainArray(members.map(({ item }) => item.collection.number))}::int[]),
        unnest(${plainArray(members.map(({ item }) => epochOf(item.collection)))}::int[])`;
}

/** Either all members of a statement have keys or none has. */
function keysIn(members: readonly Member<Asked>[]): ClaimedKey[] {
  return members.flatMap(({ item }) => item.beside.key ?? []);
}

function keysOf(members: readonly Member<Asked>[]): Sql {
  const keys = keysIn(members);
  return keys.length === 0 ? sql`` : sql`, ${keyValues(keys)}`;
}

function keyNames(members: readonly Member<Asked>[]): Sql {
  return keysIn(members).length === 0 ? sql`` : sql`, ${keyColumns}`;
}

/** Writes down what is told of what is ready, which is as good as done. Either all members tell something or none does. */
export function tellingOf(members: readonly Member<Asked>[]): Sql {
  const all = members.flatMap(({ item }) => item.beside.events ?? []);
  const [first] = all;
  return first ? sql`, told AS (${first.insertAll(all, sql`ready`)})` : sql``;
}

/** Calls with keys share other statements than calls without, and so do those of which others are told. */
export function statementOf<Item extends Asked>(
  collection: Collection,
  work: string,
  statement: (table: Sql, members: readonly Member<Item>[]) => Sql,
  { key, events }: Beside,
): SharedStatement<Item> {
  const { inserted: table } = tableOf(collection);
  const name = `${work}${key ? ' with keys' : ''}${events ? ' and tell' : ''} ${table.text}`;
  return { name, sql: (members) => statement(table, members) };
}
