import type { Pool } from 'pg';
import { run } from '../../platform/db/pool.ts';
import { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import { lockCollection, namesOf, notifyChanged } from '../collections/index.ts';
import { haveTended } from './have-tended.ts';
import { updateIndex } from './store.ts';

interface Unused {
  id: string;
  projectId: string;
  collection: number;
}

type FindProject = (id: string) => Promise<{ readonly id: string; readonly ref: string } | undefined>;

/** Drops indexes that the service made by itself and no query has used for 30 days. Statistics cost writes nothing and stay. */
export async function dropUnused(pool: Pool, findProject: FindProject): Promise<void> {
  await noteUse(pool);
  const unused = await run<Unused & Record<string, unknown>>(
    pool,
    sql`SELECT id, project_id AS "projectId", collection FROM cell.indexes
      WHERE is_automatic AND state = 'ready' AND kind IN ('sort', 'search') AND used_at < now() - interval '30 days'
      LIMIT 100`,
  );
  for (const { id, projectId, collection } of unused) {
    const project = await findProject(projectId);
    if (!project) continue;
    await new ProjectDb(pool, projectId).transaction(async (db) => {
      const owner = await lockCollection(db, collection);
      if (!owner) return;
      await updateIndex(db, collection, id, { state: 'dropping' });
      await haveTended({ db, project }, collection);
      await notifyChanged(db, namesOf(owner));
    });
  }
}

/** PostgreSQL counts how often it uses an index; what matters is when that number last changed. */
async function noteUse(pool: Pool): Promise<void> {
  await run(
    pool,
    sql`UPDATE cell.indexes AS own SET scans = counted.idx_scan, used_at = now()
      FROM pg_stat_user_indexes AS counted
      WHERE own.is_automatic AND own.state = 'ready' AND counted.schemaname = 'own'
        AND counted.indexrelname = own.kind || '_' || replace(own.id::text, '-', '') AND counted.idx_scan <> own.scans`,
  );
}
