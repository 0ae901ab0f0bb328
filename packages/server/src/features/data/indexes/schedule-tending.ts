import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { addJob } from '../../../platform/jobs/add-job.ts';

/** Has some node look after the indexes of a collection, once the transaction is committed. */
export async function scheduleTending(
  { db, project }: { db: ProjectDb; project: { readonly id: string; readonly ref: string } },
  collection: number,
): Promise<void> {
  await addJob(db, {
    task: 'tend-collection',
    key: `${project.ref}-tend-${collection}`,
    content: { collection },
    isAwaited: false,
    // Long work: at most two at a time in a cell, and one of a project. It takes turns of about a second.
    queue: `tend-${BigInt(project.id) % 2n}`,
  });
}
