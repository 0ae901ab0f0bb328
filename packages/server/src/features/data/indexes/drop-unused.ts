import type { Pool } from 'pg';
import { ProjectDb } from '../../../platform/db/project-db.ts';
import { lockCollection, namesOf, notifyChanged } from '../collections/index.ts';
import { scheduleTending } from './schedule-tending.ts';
import { updateIndex } from './store.ts';
import { listUnused, noteUse } from './use-store.ts';

type FindProject = (id: string) => Promise<{ readonly id: string; readonly ref: string } | undefined>;

/** Drops indexes that the service made by itself and no query has used for 30 days. Statistics cost writes nothing and stay. */
export async function dropUnused(pool: Pool, findProject: FindProject): Promise<void> {
  await noteUse(pool);
  for (const { id, projectId, collection } of await listUnused(pool)) {
    const project = await findProject(projectId);
    if (!project) continue;
    await new ProjectDb(pool, projectId).transaction(async (db) => {
      const owner = await lockCollection(db, collection);
      if (!owner) return;
      await updateIndex(db, collection, id, { state: 'dropping' });
      await scheduleTending({ db, project }, collection);
      await notifyChanged(db, namesOf(owner));
    });
  }
}
