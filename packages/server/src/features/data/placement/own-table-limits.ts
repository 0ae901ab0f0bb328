import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { countOwnTables } from './own-table-store.ts';

/** From how many documents on a collection gets a table of its own for its indexes. A smaller one is read quickly. */
export const ownTableFrom = 10_000;

/** More tables than this would make every connection of the cell expensive; no project has more than its share of them. */
export const mostOwnTables = { inCell: 2000, ofProject: 200 };

/** Is there room for a table of another collection of the project? */
export async function roomForOwnTable(
  db: ProjectDb,
  limit: number | null,
): Promise<'enough' | 'cell full' | 'project full'> {
  const { inCell, ofProject } = await countOwnTables(db);
  if (ofProject >= Math.min(limit ?? mostOwnTables.ofProject, mostOwnTables.ofProject)) return 'project full';
  return inCell < mostOwnTables.inCell ? 'enough' : 'cell full';
}
