import { isLockTimeout } from '../../platform/db/failures.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { ProjectDb } from '../../platform/db/project-db.ts';
import { raw, sql } from '../../platform/db/sql.ts';
import { inCopyOrder, type OwnedTable, type Removal } from '../../platform/tables/owned-table.ts';
import {
  endRemoval,
  findRemoval,
  lockRemoval,
  type RequestedRemoval,
} from '../../platform/tables/removals-store.ts';

const chunk = 5000;
/** Rounds that a removal takes at once; if something is still being added after that, a later one goes on. */
const mostRounds = 10;

/** Removes the rows of deleted collections and projects from a cell, in short transactions, until none is left. */
export async function removeDeletedRows(
  pool: Pool,
  tables: readonly OwnedTable[],
  isStopped: () => boolean = () => false,
): Promise<void> {
  let after = '0';
  while (!isStopped()) {
    const removal = await findRemoval(pool, after);
    if (!removal) return;
    after = removal.id;
    // One that another node works on, or that somebody still holds rows of, is taken up again by a later round.
    await removeRows(new ProjectDb(pool, removal.projectId), removal, { tables, isStopped });
  }
}

interface Walk {
  readonly tables: readonly OwnedTable[];
  readonly isStopped: () => boolean;
}

/** Walks the tables until a whole round has found nothing: a call that was under way may have added something. */
async function removeRows(
  db: ProjectDb,
  removal: RequestedRemoval,
  { tables, isStopped }: Walk,
): Promise<void> {
  const isWhole = removal.collection === null;
  const removed = inCopyOrder(tables)
    .toReversed()
    .filter(({ rowsOf }) => rowsOf === 'collection' || (isWhole && rowsOf === 'project'))
    .filter(({ name }) => !name.startsWith('control.'));
  for (let round = 0; round < mostRounds; round += 1) {
    const outcome = await removeOnce(db, removal, { tables: removed, isStopped });
    if (outcome === 'held') return;
    if (outcome === 'done') return endRemoval(db, removal.id);
  }
}

/** One round; `done` if it has found nothing. */
async function removeOnce(
  db: ProjectDb,
  removal: RequestedRemoval,
  { tables, isStopped }: Walk,
): Promise<Removal> {
  let found: Removal = 'done';
  for (const table of tables) {
    let step = await removeSome(db, removal, table);
    while (step === 'some' && !isStopped()) {
      found = 'some';
      step = await removeSome(db, removal, table);
    }
    if (step !== 'done') return 'held';
  }
  return found;
}

/** One short transaction. Whoever uses a table makes the removal give up for now; nobody has to wait for it. */
async function removeSome(db: ProjectDb, removal: RequestedRemoval, table: OwnedTable): Promise<Removal> {
  try {
    return await db.transaction(async (db) => {
      if (!(await lockRemoval(db, removal.id))) return 'held';
      return table.remove ? table.remove(db, removal.collection) : deleteSome(db, removal, table);
    });
  } catch (error) {
    if (isLockTimeout(error)) return 'held';
    throw error;
  }
}

async function deleteSome(
  db: ProjectDb,
  { collection }: RequestedRemoval,
  { name, rowsOf }: OwnedTable,
): Promise<Removal> {
  const isWanted =
    rowsOf === 'collection' && collection !== null ? sql`collection = ${collection}::int` : sql`true`;
  const rows = await db.query(sql`
    DELETE FROM ${raw(name)} WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM ${raw(name)} WHERE project_id = ${db.scope} AND ${isWanted} LIMIT ${chunk})) RETURNING true`);
  return rows.length === 0 ? 'done' : 'some';
}
