import { deleteProjectData, removeDeletedRows } from '../../src/features/project-data/index.ts';
import { tables } from '../../src/node/tables.ts';
import type { Cells } from '../../src/platform/db/cells.ts';
import type { Pool } from '../../src/platform/db/pool.ts';
import type { ProjectLocation } from '../../src/platform/db/project-db.ts';
import { expireRows } from '../../src/platform/tables/expire-rows.ts';

/** Removes what was deleted, as the housekeeping of a node does. */
export const removeDeleted = (pool: Pool): Promise<void> => removeDeletedRows(pool, tables);

/** Removes all rows of a project, as `plinth project delete` does. */
export const deleteRows = (project: ProjectLocation, cells: Cells): Promise<void> =>
  deleteProjectData(project, cells, tables);

/** Removes what has expired in some tables, as the housekeeping of a node does. */
export async function expire(pool: Pool, ...names: readonly string[]): Promise<void> {
  for (const table of tables.filter(({ name }) => names.includes(name))) await expireRows(pool, table);
}
