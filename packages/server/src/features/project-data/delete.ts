import type { Cells } from '../../platform/db/cells.ts';
import type { ProjectLocation } from '../../platform/db/project-db.ts';
import type { OwnedTable } from '../../platform/tables/owned-table.ts';
import { requestRemoval } from '../../platform/tables/removals-store.ts';
import { removeDeletedRows } from './remove-rows.ts';

/**
 * Removes everything of a deleted project from its cell. If this is interrupted, or somebody still holds some rows, the
 * housekeeping of a node goes on with it; the bytes of files follow that way, too.
 */
export async function deleteProjectData(
  project: ProjectLocation,
  cells: Cells,
  tables: readonly OwnedTable[],
): Promise<void> {
  await requestRemoval(cells.forProject(project), null);
  await removeDeletedRows(cells.pool(project.cell), tables);
}
