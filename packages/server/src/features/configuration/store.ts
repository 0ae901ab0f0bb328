import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';

/** One push of a project at a time; held until the transaction ends. */
export async function lockConfiguration(db: ProjectDb): Promise<void> {
  await db.query(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('plinth configuration ' || ${db.scope}::bigint, 0))`,
  );
}
