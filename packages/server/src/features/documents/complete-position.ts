import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import {
  type CheckedSort,
  type CursorPosition,
  CutString,
  compileSort,
  sortColumns,
} from '../query/index.ts';
import { listPage } from './store.ts';

/**
 * Where a cursor kept only the beginning of a long string, the rest is read from its document. If that has gone or
 * changed, the page starts at the beginning of its equals: it may repeat documents, and misses none.
 */
export async function completePosition(
  db: ProjectDb,
  collection: number,
  sort: readonly CheckedSort[],
  position: CursorPosition,
): Promise<CursorPosition> {
  if (!position.values.some((value) => value instanceof CutString)) return position;
  const [row] = await listPage(db, collection, {
    where: sql`id = ${position.id}::uuid`,
    orderBy: compileSort(sort),
    sortColumns: sortColumns(sort),
    limit: 1,
    offset: 0,
  });
  const values = position.values.map((value, at) => {
    if (!(value instanceof CutString)) return value;
    const current = row?.sortValues[at];
    if (typeof current === 'string' && current.startsWith(value.beginning)) return current;
    return sort[at]!.descending ? `${value.beginning}\u{10ffff}` : value.beginning;
  });
  return { id: position.id, values };
}
