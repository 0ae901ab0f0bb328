import type { Pool } from 'pg';
import { run } from '../../../platform/db/pool.ts';
import { sql } from '../../../platform/db/sql.ts';

/** PostgreSQL counts how often it uses an index; what matters is when that number last changed. */
export async function noteUse(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`UPDATE cell.indexes AS own SET scans = counted.idx_scan, used_at = now()
      FROM pg_stat_user_indexes AS counted
      WHERE own.is_automatic AND own.state = 'ready' AND counted.schemaname = 'own'
        AND counted.indexrelname = own.kind || '_' || replace(own.id::text, '-', '') AND counted.idx_scan <> own.scans`,
  );
}

/** Some of the cell's indexes that the service made by itself and no query has used for 30 days. */
export async function listUnused(
  pool: Pool,
): Promise<{ id: string; projectId: string; collection: number }[]> {
  return run(
    pool,
    sql`SELECT id, project_id AS "projectId", collection FROM cell.indexes
      WHERE is_automatic AND state = 'ready' AND kind IN ('sort', 'search') AND used_at < now() - interval '30 days'
      LIMIT 100`,
  );
}
