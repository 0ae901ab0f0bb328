import type { Pool } from '../../../platform/db/pool.ts';
import { ProjectDb } from '../../../platform/db/project-db.ts';
import { findCollection } from '../collections/index.ts';
import { isMoving, tableOf } from '../placement/index.ts';
import type { LinkedTable } from '../query/index.ts';
import {
  type DueLink,
  doubtLinks,
  forgetLink,
  keepLink,
  lookForLink,
  saveLook,
  takeDueLink,
} from './look-store.ts';

/** In one round of housekeeping, however many links and documents there are. */
const longestMs = 1000;

/**
 * Forgets links that no document holds any more. A link is doubted 30 days after it was last found. From then on every
 * write that holds it says so, which is why documents can be looked through a few at a time: what was not found at the
 * end, and not written meanwhile, is nowhere.
 */
export async function forgetUnusedLinks(
  pool: Pool,
  users: LinkedTable,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const until = performance.now() + longestMs;
  while (performance.now() < until && !isStopped()) {
    const link = await takeDueLink(pool);
    if (!link) return;
    await takeStep(new ProjectDb(pool, link.projectId), link, users);
  }
}

async function takeStep(db: ProjectDb, link: DueLink, users: LinkedTable): Promise<void> {
  if (!link.isDoubted) return doubtLinks(db, link.collection);
  const table = await tableWith(db, link.collection, users);
  if (!table) return;
  const { isFound, last } = await lookForLink(db, link, table);
  if (isFound) await keepLink(db, link);
  else if (last === undefined) await forgetLink(db, link);
  else await saveLook(db, link, last);
}

/** Where the documents are. Undefined: the collection is gone, or on its way to another table. There will be another turn. */
async function tableWith(
  db: ProjectDb,
  number: number,
  users: LinkedTable,
): Promise<LinkedTable | undefined> {
  if (number === 0) return users;
  const collection = await findCollection(db, `#${number}`);
  return collection && !isMoving(collection) ? { ...tableOf(collection), collection: number } : undefined;
}
