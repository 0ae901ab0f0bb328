import type { Pool } from 'pg';
import { run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { IndexFigures } from './collection-index.ts';

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

/** The size and use of the indexes of a collection that PostgreSQL keeps; unique ones and statistics are none of them. */
export async function figuresOf(db: ProjectDb, collection: number): Promise<Map<string, IndexFigures>> {
  const rows = await db.query<{ id: string; bytes: string; scans: string; usedAt: string | null }>(sql`
    SELECT own.id, pg_relation_size(class.oid) AS bytes, counted.idx_scan AS scans,
      -- Older versions have no such column.
      to_jsonb(counted) ->> 'last_idx_scan' AS "usedAt"
    FROM cell.indexes AS own
    JOIN pg_class AS class ON class.relname = own.kind || '_' || replace(own.id::text, '-', '')
      AND class.relnamespace = to_regnamespace('own')
    JOIN pg_stat_user_indexes AS counted ON counted.indexrelid = class.oid
    WHERE own.project_id = ${db.scope} AND own.collection = ${collection} AND own.kind IN ('sort', 'search')
      AND own.state = 'ready'`);
  return new Map(
    rows.map(({ id, bytes, scans, usedAt }) => [
      id,
      { bytes: Number(bytes), scans: Number(scans), usedAt: usedAt === null ? null : new Date(usedAt) },
    ]),
  );
}
