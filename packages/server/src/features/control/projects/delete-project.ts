import type { Cells } from '../../../platform/db/cells.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { requireFound } from './find-project.ts';
import { findDeleted, markDeleted, removeDeleted } from './store.ts';

/**
 * Deletes a project: every node refuses it at once, then its rows are removed in small steps. Can be called again after
 * a crash, and continues where it stopped.
 */
export async function deleteProject(
  control: ControlDb,
  cells: Cells,
  ref: string,
  purge: (project: { id: string; cell: number }, cells: Cells) => Promise<void>,
): Promise<void> {
  const marked = (await markDeleted(control, ref)) ?? (await findDeleted(control, ref));
  await purge(requireFound(ref, marked), cells);
  await removeDeleted(control, ref);
}
