import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A collection remembers this many: more are data, not structure. */
export const maxNames = 200;

export async function listNames(db: ProjectDb, collection: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`SELECT name FROM cell.field_names WHERE project_id = ${db.scope} AND collection = ${collection}`,
    'field-names.list',
  );
  return rows.map(({ name }) => name);
}

/** Adds names as long as there are not too many, in one order so that none wait in a circle, and tells every node. */
export async function insertNames(
  db: ProjectDb,
  collection: number,
  names: readonly string[],
): Promise<void> {
  await db.query(sql`
    WITH added AS (
      INSERT INTO cell.field_names (project_id, collection, name)
      SELECT ${db.scope}::bigint, ${collection}::int, name FROM unnest(${names.toSorted()}::text[]) AS name
      WHERE ${maxNames} > (
        SELECT count(*) FROM cell.field_names WHERE project_id = ${db.scope} AND collection = ${collection})
      ORDER BY name
      ON CONFLICT DO NOTHING
      RETURNING name
    )
    SELECT pg_notify('plinth', 'field-names:' || ${db.scope}::bigint || '/' || ${collection}::int)
    FROM added LIMIT 1`);
}
