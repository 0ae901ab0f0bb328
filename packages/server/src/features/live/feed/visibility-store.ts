import { readVisibility, type Visibility } from '../../../platform/change-feed/visibility.ts';
import { onlyRow } from '../../../platform/db/only-row.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** What the transaction of `db` sees. */
export async function currentVisibility(db: ProjectDb): Promise<Visibility> {
  const rows = await db.query<{ seen: string }>(
    sql`SELECT pg_current_snapshot()::text AS seen WHERE ${db.scope}::bigint IS NOT NULL`,
  );
  return readVisibility(onlyRow(rows).seen);
}
