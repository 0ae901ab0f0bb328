import { invalidQuery } from '../../../calls/index.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { ProjectDb } from '../../../platform/db/project-db.ts';
import { type Holdings, listChanged, listDays, saveDay } from './day-store.ts';

interface NoteDeps {
  /** Undefined for a project that was deleted. */
  readonly findProject: (id: string) => Promise<{ readonly id: string } | undefined>;
  readonly holdingsOf: (db: ProjectDb) => Promise<Holdings>;
  readonly isStopped: () => boolean;
}

/** What is left is done an hour later. */
const mostAtOnce = 5000;

/** Notes what the projects of a cell hold in which something has changed. */
export async function noteDays(pool: Pool, { findProject, holdingsOf, isStopped }: NoteDeps): Promise<void> {
  for (const id of await listChanged(pool, mostAtOnce)) {
    if (isStopped()) return;
    if (!(await findProject(id))) continue;
    const db = new ProjectDb(pool, id);
    await saveDay(db, await holdingsOf(db));
  }
}

const dayMs = 86_400_000;
const mostDays = 400;

/** What the project held, day by day (UTC). A day without a change is left out: it is as the one before. */
export async function readUsageDays(db: ProjectDb, range: { readonly from: Date; readonly to: Date }) {
  if (range.to.getTime() - range.from.getTime() > mostDays * dayMs)
    throw invalidQuery('from', `The range can have at most ${mostDays} days.`);
  return listDays(db, range);
}
