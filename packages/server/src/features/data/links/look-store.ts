import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';
import type { LinkedTable } from '../query/index.ts';
import { pathOfField } from './find-links.ts';
import { notifyLinks } from './store.ts';

/** A link that is to be looked for in documents. */
export interface DueLink {
  readonly projectId: string;
  readonly collection: number;
  readonly field: string;
  readonly target: number;
  readonly isDoubted: boolean;
  /** Documents of this id and above have been looked at. */
  readonly lookedTo: string | null;
}

/** The documents that are looked at in one statement. */
const atOnce = 500;

/** The link of the cell that has been due for longest; for a minute no other node takes it. */
export async function takeDueLink(pool: Pool): Promise<DueLink | undefined> {
  const [link] = await run<DueLink & Record<string, unknown>>(
    pool,
    sql`UPDATE cell.links SET check_at = now() + interval '1 minute' WHERE ctid = (
        SELECT ctid FROM cell.links WHERE check_at <= now() ORDER BY check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING project_id AS "projectId", collection, field, target, is_doubted AS "isDoubted", looked_to AS "lookedTo"`,
  );
  return link;
}

/** Doubts all links of a collection that are due. They are looked for in an hour, when every write under way has ended. */
export async function doubtLinks(db: ProjectDb, collection: number): Promise<void> {
  await db.query(sql`
    UPDATE cell.links SET is_doubted = true, looked_to = NULL, check_at = now() + interval '1 hour'
    WHERE project_id = ${db.scope} AND collection = ${collection} AND NOT is_doubted
      AND check_at < now() + interval '1 day'`);
  await notifyLinks(db, collection);
}

/** Looks for a link in the next documents, newest first; `last` is undefined when there are no more. */
export async function lookForLink(
  db: ProjectDb,
  { field, target, lookedTo }: DueLink,
  { tables, collection, isComplete }: LinkedTable,
): Promise<{ isFound: boolean; last: string | undefined }> {
  const rows = await db.query<{ id: string; isFound: boolean }>(sql`
    SELECT id, cell.links_to(data #> ${pathOfField(field)}::text[], ${target}) AS "isFound" FROM ${onlyOf(tables)}
    WHERE project_id = ${db.scope} AND ${isComplete}
      AND ${collection === undefined ? sql`true` : sql`collection = ${collection}`}
      AND ${lookedTo === null ? sql`true` : sql`id < ${lookedTo}::uuid`}
    ORDER BY id DESC LIMIT ${atOnce}`);
  const last = rows.length < atOnce ? undefined : rows.at(-1)?.id;
  return { isFound: rows.some(({ isFound }) => isFound), last };
}

/** Notes how far the search for a link is; its next turn comes after those of all others that are due. */
export async function saveLook(db: ProjectDb, link: DueLink, lookedTo: string): Promise<void> {
  await db.query(
    sql`UPDATE cell.links SET looked_to = ${lookedTo}, check_at = now() WHERE ${isDoubted(db, link)}`,
  );
}

/** The link was found: it is doubted no longer. */
export async function keepLink(db: ProjectDb, link: DueLink): Promise<void> {
  await db.query(sql`
    UPDATE cell.links SET is_doubted = false, check_at = now() + interval '30 days' WHERE ${isDoubted(db, link)}`);
  await notifyLinks(db, link.collection);
}

/** Forgets a link that was found nowhere, unless a write has noted it meanwhile. */
export async function forgetLink(db: ProjectDb, link: DueLink): Promise<void> {
  await db.query(sql`DELETE FROM cell.links WHERE ${isDoubted(db, link)}`);
  await notifyLinks(db, link.collection);
}

function isDoubted(db: ProjectDb, { collection, field, target }: DueLink): Sql {
  return sql`project_id = ${db.scope} AND collection = ${collection} AND field = ${field} AND target = ${target}
    AND is_doubted`;
}

function onlyOf(tables: readonly Sql[]): Sql {
  const [table, ...others] = tables;
  if (!table || others.length > 0) throw new Error('Links are looked for in one table.');
  return table;
}
