import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, type Sql, sql } from '../../../platform/db/sql.ts';
import { type Collection } from '../collections/index.ts';
import { tableOf } from '../placement/index.ts';
import type { LinkedTable } from '../query/index.ts';
import type { PossibleLink } from './find-links.ts';

/** A link of the catalogue. */
export interface SeenLink {
  readonly field: string;
  readonly target: number;
  /** Somebody who may read the target has written it. */
  readonly isOpen: boolean;
  /** Nobody knows whether a document still holds it. */
  readonly isDoubted: boolean;
  readonly createdAt: Date;
}

/** Known links of a collection. @limit - */
const maxLinks = 500;

export async function listLinks(db: ProjectDb, collection: number): Promise<SeenLink[]> {
  return db.query(
    sql`SELECT field, target, is_open AS "isOpen", is_doubted AS "isDoubted", created_at AS "createdAt" FROM cell.links
      WHERE project_id = ${db.scope} AND collection = ${collection} ORDER BY target`,
    'links.list',
  );
}

/** A field of a collection that was seen to link to another. */
export interface FieldLink {
  readonly collection: number;
  readonly field: string;
}

/** The fields of collections, not of app users, that were seen to link to a collection. */
export async function listLinksTo(
  db: ProjectDb,
  target: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<FieldLink[]> {
  return db.query(
    sql`SELECT collection, field FROM cell.links
      WHERE project_id = ${db.scope} AND target = ${target} AND collection > 0
      ORDER BY collection, field LIMIT ${limit} OFFSET ${offset}`,
    'links.list-to',
  );
}

/** Adds those of the links whose target exists, and tells every node. Returns how many were new, or doubted no longer. */
export async function insertLinks(
  db: ProjectDb,
  collection: number,
  links: readonly (PossibleLink & { readonly isOpen: boolean })[],
  { collections, users }: { collections: readonly Collection[]; users: LinkedTable },
): Promise<number> {
  const possible = links.flatMap(({ field, target, ids, isOpen }) =>
    Array.from(ids, (id) => ({ field, target, id, isOpen })),
  );
  const rows = await db.query(sql`
    WITH possible AS (
      SELECT * FROM unnest(
        ${possible.map(({ field }) => field)}::text[],
        ${possible.map(({ target }) => target)}::int[],
        ${possible.map(({ id }) => id)}::uuid[],
        ${possible.map(({ isOpen }) => isOpen)}::boolean[]) AS possible (field, target, id, is_open)
    ), added AS (
      INSERT INTO cell.links AS known (project_id, collection, field, target, is_open)
      SELECT ${db.scope}::bigint, ${collection}::int, field, target, bool_or(is_open) FROM possible
      WHERE CASE WHEN target = 0 THEN ${isUser(db, users)} ELSE ${isDocument(db, collections)} END
        AND (${maxLinks} > (
            SELECT count(*) FROM cell.links WHERE project_id = ${db.scope} AND collection = ${collection})
          OR EXISTS (SELECT FROM cell.links AS same WHERE same.project_id = ${db.scope}
            AND same.collection = ${collection} AND same.field = possible.field AND same.target = possible.target))
      GROUP BY field, target
      ORDER BY field, target
      ON CONFLICT (project_id, collection, field, target) DO UPDATE SET
        is_open = known.is_open OR excluded.is_open, is_doubted = false, check_at = excluded.check_at
        WHERE known.is_doubted OR (excluded.is_open AND NOT known.is_open)
      RETURNING field
    )
    SELECT pg_notify('plinth', 'links:' || ${db.scope}::bigint || '/' || ${collection}::int) FROM added LIMIT 1`);
  return rows.length;
}

/** Removes what is known of a field; false if nothing is. */
export async function removeLinks(db: ProjectDb, collection: number, field: string): Promise<boolean> {
  const rows = await db.query(sql`
    DELETE FROM cell.links WHERE project_id = ${db.scope} AND collection = ${collection} AND field = ${field}
    RETURNING true`);
  if (rows.length > 0) await notifyLinks(db, collection);
  return rows.length > 0;
}

/** Tells every node that the links of a collection have changed. */
export async function notifyLinks(db: ProjectDb, collection: number): Promise<void> {
  await db.query(
    sql`SELECT pg_notify('plinth', 'links:' || ${db.scope}::bigint || '/' || ${collection}::int)`,
  );
}

/** Is `possible` an app user that exists? */
function isUser(db: ProjectDb, { tables }: LinkedTable): Sql {
  const inTables = tables.map(
    (table) => sql`EXISTS (SELECT FROM ${table} AS linked
        WHERE linked.project_id = ${db.scope} AND linked.id = possible.id)`,
  );
  return join(inTables, ' OR ');
}

/** Is `possible` a document that exists in its target? */
function isDocument(db: ProjectDb, targets: readonly Collection[]): Sql {
  const inTables = targets.flatMap((target) => {
    const { tables, isComplete } = tableOf(target);
    return tables.map(
      (
        table,
      ) => sql`(possible.target = ${target.number} AND ${isComplete} AND EXISTS (SELECT FROM ${table} AS linked
        WHERE linked.project_id = ${db.scope} AND linked.collection = ${target.number} AND linked.id = possible.id))`,
    );
  });
  return inTables.length === 0 ? sql`false` : sql`(${join(inTables, ' OR ')})`;
}
