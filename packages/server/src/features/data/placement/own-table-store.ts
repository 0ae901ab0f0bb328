import type { Client } from 'pg';
import { run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import { ownTable } from './table-store.ts';

export type OwnTable = Pick<Collection, 'projectId' | 'number'>;

export async function createOwnTable(db: ProjectDb, number: number): Promise<void> {
  await db.query(sql`SELECT cell.create_own_table(${db.scope}, ${number})`);
}

/** Gives up with a lock timeout while somebody reads it. */
export async function dropOwnTable(db: ProjectDb, number: number): Promise<void> {
  await db.query(sql`SELECT cell.drop_own_table(${db.scope}, ${number})`);
}

/** The tables that collections of a project have of their own: that of one collection, or all of them. */
export async function listOwnTables(db: ProjectDb, number: number | null): Promise<OwnTable[]> {
  return db.query<OwnTable & Record<string, unknown>>(sql`
    SELECT ${db.scope}::text AS "projectId", split_part(relname, '_', 3)::int AS number FROM pg_class
    WHERE relnamespace = 'own'::regnamespace AND relkind = 'r'
      AND starts_with(relname::text, 'documents_' || ${db.scope}::bigint || '_')
      AND (${number}::int IS NULL OR relname = 'documents_' || ${db.scope}::bigint || '_' || ${number}::int)`);
}

type OwnTableCounts = { readonly inCell: number; readonly ofProject: number };

/** How many collections of the cell, and of the project, have a table of their own. */
export async function countOwnTables(db: ProjectDb): Promise<OwnTableCounts> {
  const [row] = await db.query<OwnTableCounts>(sql`
    SELECT count(*)::int AS "inCell",
      (count(*) FILTER (WHERE starts_with(relname::text, 'documents_' || ${db.scope}::bigint || '_')))::int AS "ofProject"
    FROM pg_class WHERE relnamespace = 'own'::regnamespace AND relkind = 'r'`);
  return row ?? { inCell: 0, ofProject: 0 };
}

/** Lets PostgreSQL learn what is in the table. It may take long: on a connection without a time limit. */
export async function analyzeOwnTable(connection: Client, table: OwnTable): Promise<void> {
  await run(connection, sql`ANALYZE ${ownTable(table)}`);
}
