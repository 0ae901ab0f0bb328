import type { ProjectRecord } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { requireFound } from './find-project.ts';
import {
  deleteExpired,
  findDeleted,
  listDueForRemoval,
  markDeleted,
  removeDeleted,
  unmarkDeleted,
} from './store.ts';

type Purge = (project: { id: string; cell: number }, cells: Cells) => Promise<void>;

/**
 * Deletes a project: every node refuses it at once, then its rows are removed in small steps. Can be called again after
 * a crash, and continues where it stopped.
 */
export async function deleteProject(
  control: ControlDb,
  cells: Cells,
  ref: string,
  purge: Purge,
): Promise<void> {
  const marked = (await markDeleted(control, ref)) ?? (await findDeleted(control, ref));
  await purge(requireFound(ref, marked), cells);
  await removeDeleted(control, ref);
}

/** Refuses every call of a project from now on. Its data waits for seven days, in which it can be restored. */
export async function deleteLater(control: ControlDb, ref: string): Promise<ProjectRecord> {
  return requireFound(ref, await markDeleted(control, ref));
}

/** Gives a project back that was deleted within the last seven days. */
export async function restoreProject(control: ControlDb, ref: string): Promise<ProjectRecord> {
  return requireFound(ref, await unmarkDeleted(control, ref));
}

/** Removals of one round: those that are left wait for the next. */
const mostAtOnce = 20;
const mostExpiredAtOnce = 500;

/** Deletes temporary projects whose time is over, and removes the data of those that were deleted seven days ago. */
export async function removeDueProjects(
  control: ControlDb,
  cells: Cells,
  purge: Purge,
  isStopped: () => boolean,
): Promise<void> {
  await deleteExpired(control, mostExpiredAtOnce);
  for (const ref of await listDueForRemoval(control, mostAtOnce)) {
    if (isStopped()) return;
    await deleteProject(control, cells, ref, purge);
  }
}
