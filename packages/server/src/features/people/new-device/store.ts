import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

const keptDevices = 50;

async function forgetOldestDevices(db: ProjectDb, userId: string): Promise<void> {
  await db.query(sql`
    DELETE FROM cell.known_devices WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid AND mark IN (
      SELECT mark FROM cell.known_devices WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid
      ORDER BY seen_at DESC OFFSET ${keptDevices})`);
}

/** Notes where a user signs in from: whether any of the marks is new, and whether they are the first ones. */
export async function noteDevices(
  db: ProjectDb,
  userId: string,
  marks: readonly Buffer[],
): Promise<{ isFirst: boolean; isNew: boolean }> {
  const [row = { before: '0', added: '0' }] = await db.query<{ before: string; added: string }>(sql`
    WITH before AS (
      SELECT count(*) AS count FROM cell.known_devices WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid
    ), noted AS (
      INSERT INTO cell.known_devices AS known (project_id, user_id, mark)
      SELECT ${db.scope}, ${userId}::uuid, mark FROM unnest(${marks}::bytea[]) AS mark
      ON CONFLICT (project_id, user_id, mark) DO UPDATE SET seen_at = now()
        WHERE known.seen_at < now() - interval '1 day'
      RETURNING xmax = 0 AS is_new
    )
    SELECT (SELECT count FROM before) AS before, (SELECT count(*) FROM noted WHERE is_new) AS added`);
  if (Number(row.before) > keptDevices) await forgetOldestDevices(db, userId);
  return { isFirst: row.before === '0', isNew: row.added !== '0' };
}
