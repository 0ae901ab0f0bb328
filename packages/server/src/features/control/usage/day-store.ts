import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** What a project holds. */
export interface Holdings {
  readonly documents: number;
  readonly documentBytes: number;
  readonly storageBytes: number;
  readonly users: number;
}

const today = sql`(now() AT TIME ZONE 'UTC')::date`;

/** Projects of a cell in which something was written lately, and of which that is not noted yet: some of them. */
export async function listChanged(pool: Pool, most: number): Promise<string[]> {
  const rows = await run<{ id: string }>(
    pool,
    sql`SELECT DISTINCT project_id AS id FROM cell.usage_hours AS used
      WHERE hour >= now() - interval '3 hours' AND (writes > 0 OR auths > 0)
        AND NOT EXISTS (SELECT FROM cell.usage_days AS noted
          WHERE noted.project_id = used.project_id AND noted.day = ${today}
            AND noted.noted_at > now() - interval '50 minutes')
      LIMIT ${most}`,
  );
  return rows.map(({ id }) => id);
}

/** Notes what a project holds today. */
export async function saveDay(db: ProjectDb, holdings: Holdings): Promise<void> {
  const { documents, documentBytes, storageBytes, users } = holdings;
  await db.query(sql`
    INSERT INTO cell.usage_days (project_id, day, documents, document_bytes, storage_bytes, users)
    VALUES (${db.scope}, ${today}, ${documents}, ${documentBytes}, ${storageBytes}, ${users})
    ON CONFLICT (project_id, day) DO UPDATE SET documents = excluded.documents,
      document_bytes = excluded.document_bytes, storage_bytes = excluded.storage_bytes, users = excluded.users,
      noted_at = now()`);
}

/** The days that are noted from one to another, and the one before them, which the first goes on from. */
export async function listDays(
  db: ProjectDb,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<(Holdings & { readonly day: string })[]> {
  const [first, last] = [from, to].map((time) => time.toISOString().slice(0, 10));
  const rows = await db.query<Record<keyof Holdings | 'day', string>>(sql`
    SELECT day::text, documents, document_bytes AS "documentBytes", storage_bytes AS "storageBytes", users
    FROM cell.usage_days WHERE project_id = ${db.scope} AND day <= ${last}::date AND day >= coalesce(
      (SELECT max(day) FROM cell.usage_days WHERE project_id = ${db.scope} AND day < ${first}::date), ${first}::date)
    ORDER BY day`);
  return rows.map(({ day, documents, documentBytes, storageBytes, users }) => ({
    day,
    documents: Number(documents),
    documentBytes: Number(documentBytes),
    storageBytes: Number(storageBytes),
    users: Number(users),
  }));
}
