import type { Cells } from '../../platform/db/cells.ts';
import { run } from '../../platform/db/pool.ts';
import type { ProjectLocation } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Log } from '../../platform/log.ts';
import {
  beginEpoch,
  type Collection,
  type CollectionIndex,
  countDocuments,
  findCollection,
  lockCollection,
  namesOf,
  notifyChanged,
  ownTable,
} from '../collections/index.ts';
import { recordAutomatic, wantedFor } from './auto-index.ts';
import { type Builder, buildIndex, dropIndexObject } from './build-index.ts';
import { closeOldSlots, patiently } from './close-old-slots.ts';
import { ownTableFrom } from './collection-index.ts';
import { moveCollection } from './move-collection.ts';
import { countOwnTables, waitBriefly } from './move-store.ts';
import { forgetDurations } from './shape-store.ts';
import { beginRecorded, listIndexes, removeIndex, saveProgress, updateIndex } from './store.ts';
import { buildUnique, dropUniqueValues } from './unique-values.ts';
import { untilAlone } from './until-alone.ts';

export interface TendingServices {
  readonly cells: Cells;
  readonly log: Log;
  /** Stops long work between two steps: another node goes on with it. */
  readonly signal: AbortSignal;
}

/** More tables than this would make every connection of the cell dear. */
const maxOwnTables = 2000;

/** Looks after the indexes of a collection until nothing is left to do. */
export async function tendCollection(
  services: TendingServices,
  project: ProjectLocation,
  number: number,
): Promise<void> {
  const { cells, signal } = services;
  const pool = cells.pool(project.cell);
  await cells.session(project.cell, signal, async (connection) => {
    await untilAlone(connection, `tend ${project.id}/${number}`, signal);
    while (await takeStep(services, { connection, pool, db: cells.forProject(project), signal }, number))
      signal.throwIfAborted();
  });
}

/** Does the next thing there is to do; false if there is nothing. */
async function takeStep(services: TendingServices, builder: Builder, number: number): Promise<boolean> {
  const { db } = builder;
  const collection = await findCollection(db, `#${number}`);
  if (!collection) return false;
  const doomed = collection.indexes.find(({ state }) => state === 'dropping');
  if (doomed) return removeDropped(builder, collection, doomed);
  const unique = collection.indexes.find(({ kind, state }) => kind === 'unique' && state === 'building');
  if (unique) return finishUnique(builder, collection, unique);
  if (collection.indexes.some(({ state }) => state === 'recorded')) {
    const isLarge = (await countDocuments(db, number)) >= ownTableFrom;
    if (isLarge || collection.home !== 'shared') {
      await beginRecorded(db, number);
      return true;
    }
  }
  const next = collection.indexes.find(({ state }) => state === 'building');
  if (next) {
    return collection.home === 'own'
      ? finishIndex(services, builder, collection, next)
      : giveTable(services, builder, collection, next);
  }
  return helpSlowQueries(services, builder, collection);
}

/** Makes what slow queries lack. */
async function helpSlowQueries(
  services: TendingServices,
  builder: Builder,
  collection: Collection,
): Promise<boolean> {
  const wanted = await wantedFor(builder, collection);
  if (wanted.length === 0) return false;
  if (collection.home !== 'own') return giveTable(services, builder, collection);
  await recordAutomatic(builder, collection, wanted);
  return true;
}

async function giveTable(
  { log }: TendingServices,
  builder: Builder,
  collection: Collection,
  index?: CollectionIndex,
): Promise<boolean> {
  const { connection, db, signal } = builder;
  if (collection.home === 'shared' && (await countOwnTables(db)) >= maxOwnTables) {
    if (!index) return false;
    const failure = `This part of the service has no room for a further large collection of its own (${maxOwnTables} at most). Ask its operator.`;
    return settle(builder, collection, index, { state: 'failed', failure });
  }
  const startedAt = performance.now();
  const learn = async () => {
    await run(connection, sql`ANALYZE ${ownTable(collection)}`);
  };
  if ((await moveCollection(db, collection.number, { signal, learn })) === 'gone') return false;
  await learn();
  log.info(
    { collection: collection.id, ms: Math.round(performance.now() - startedAt) },
    'a collection has moved to a table of its own',
  );
  return true;
}

async function finishIndex(
  { log }: TendingServices,
  builder: Builder,
  collection: Collection,
  index: CollectionIndex,
): Promise<boolean> {
  try {
    await buildIndex(builder, collection, index);
  } catch (error) {
    if (isPassing(error)) throw error;
    log.warn({ err: error, collection: collection.id, index: index.id }, 'an index could not be built');
    const failure = `The database could not build it: ${(error as Error).message}`;
    await dropIndexObject(builder, index);
    return settle(builder, collection, index, { state: 'failed', failure });
  }
  return settle(builder, collection, index, { state: 'ready' });
}

/** An engine that is away, short of something or stopped: worth another try later. */
function isPassing(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === undefined || /^(08|40|53|55|57)/.test(code);
}

/** Collects the values of documents that were there before the index. */
async function finishUnique(
  builder: Builder,
  collection: Collection,
  index: CollectionIndex,
): Promise<boolean> {
  const { db, signal } = builder;
  await closeOldSlots(db, collection.number, signal);
  const total = await countDocuments(db, collection.number);
  let after: string | undefined;
  let done = 0;
  do {
    signal.throwIfAborted();
    const step = await buildUnique(db, collection, index, after);
    const [duplicate] = step.duplicates;
    if (duplicate) {
      const failure = `Documents ${duplicate.ids.join(' and ')} have the same value: ${JSON.stringify(duplicate.values).slice(0, 200)}. Change one, drop this index and ask for it again.`;
      return settle(builder, collection, index, { state: 'failed', failure });
    }
    done += step.count;
    after = step.last;
    await saveProgress(db, collection.number, { id: index.id, done, total });
  } while (after !== undefined);
  return settle(builder, collection, index, { state: 'ready' });
}

/** Notes how building ended, unless the index was dropped meanwhile, and tells every node. */
async function settle(
  { db, signal }: Builder,
  { number }: Collection,
  { id, kind }: CollectionIndex,
  outcome: { state: 'ready' | 'failed'; failure?: string },
): Promise<boolean> {
  return patiently(signal, () =>
    db.transaction(async (db) => {
      await waitBriefly(db);
      const collection = await lockCollection(db, number);
      // Read once it is held: what came with it is from before it was waited for.
      const current = (await listIndexes(db, number)).find((index) => index.id === id);
      if (!collection || current?.state !== 'building') return true;
      await updateIndex(db, number, id, outcome);
      if (outcome.state === 'ready') await forgetDurations(db, number);
      // Writers stop to keep its values.
      if (kind === 'unique' && outcome.state === 'failed') await beginEpoch(db, number);
      await notifyChanged(db, namesOf(collection));
      return true;
    }),
  );
}

async function removeDropped(
  builder: Builder,
  collection: Collection,
  index: CollectionIndex,
): Promise<boolean> {
  const { db } = builder;
  if (index.kind === 'unique') {
    while ((await dropUniqueValues(db, collection, index.id)) > 0);
  } else if (collection.home === 'own') await dropIndexObject(builder, index);
  await removeIndex(db, collection.number, index.id);
  return true;
}
