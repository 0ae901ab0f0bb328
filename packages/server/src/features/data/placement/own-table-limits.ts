import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { countOwnTables } from './own-table-store.ts';

/** From how many documents on a collection gets a table of its own for its indexes. A smaller one is read quickly. */
export const ownTableFrom = 10_000;

/** More tables than this would make every connection of the cell expensive. */
export const maxOwnTables = 2000;

/** May another collection of the cell get a table of its own? */
export async function hasRoomForOwnTable(db: ProjectDb): Promise<boolean> {
  return (await countOwnTables(db)) < maxOwnTables;
}
