import { DatabaseError } from 'pg';
import { guarded } from '../../../platform/guarded.ts';
import type { Collection, CollectionIndex } from '../collections/index.ts';
import { saveProgress } from '../indexes/index.ts';
import { analyzeOwnTable, fillKeys, TooManyKeys } from '../placement/index.ts';
import type { Builder } from './deps.ts';
import { createObject, dropObject, findObjectState } from './object-store.ts';
import { findBuildProgress, findProcess } from './session-store.ts';
import { settle } from './settle.ts';

const watchEveryMs = 1000;

/** Builds an index of a collection that has a table of its own, and notes how that ended. */
export async function buildIndex(
  builder: Builder,
  collection: Collection,
  index: CollectionIndex,
): Promise<void> {
  const { connection, log } = builder;
  try {
    if (!(await build(builder, collection, index))) return;
  } catch (error) {
    if (error instanceof TooManyKeys)
      return settle(builder, collection, index, { state: 'failed', failure: error.message });
    if (!(error instanceof DatabaseError) || isPassing(error)) throw error;
    log.warn({ err: error, collection: collection.id, index: index.id }, 'an index could not be built');
    const failure = `The database could not build it: ${error.message}`;
    await dropObject(connection, index);
    return settle(builder, collection, index, { state: 'failed', failure });
  }
  await settle(builder, collection, index, { state: 'ready' });
}

/**
 * Builds the object, and lets PostgreSQL learn what is in it. What a node left half done is done again. False if the
 * collection is gone.
 */
async function build(builder: Builder, known: Collection, index: CollectionIndex): Promise<boolean> {
  const { connection } = builder;
  const collection = index.kind === 'sort' ? await fill(builder, known, index) : known;
  if (!collection) return false;
  const state = await findObjectState(connection, index);
  if (state === 'broken') await dropObject(connection, index);
  if (state !== 'whole') {
    const timer = await watch(builder, collection, index);
    try {
      await createObject(connection, collection, index);
    } finally {
      clearInterval(timer);
    }
  }
  await analyzeOwnTable(connection, collection);
  return true;
}

/** Has all documents hold the keys of the index. */
function fill(
  { connection, db, signal }: Builder,
  { number }: Collection,
  { id, fields }: CollectionIndex,
): Promise<Collection | undefined> {
  const onProgress = (progress: { done: number; total: number }) =>
    saveProgress(db, number, { id, ...progress });
  const paths = fields.map(({ path }) => path);
  return fillKeys(db, number, paths, { signal, unhurried: db.over(connection), onProgress });
}

/** Notes now and then how far PostgreSQL is. */
async function watch(
  { connection, pool, db }: Builder,
  { number }: Collection,
  { id }: CollectionIndex,
): Promise<NodeJS.Timeout> {
  const processId = await findProcess(connection);
  const look = async () => {
    const progress = processId === undefined ? undefined : await findBuildProgress(pool, processId);
    if (progress) await saveProgress(db, number, { id, ...progress });
  };
  // It only tells how far it is.
  return setInterval(
    guarded(() => {}, look),
    watchEveryMs,
  );
}

/** A database that is away, short of something or stopped: worth another try later. */
function isPassing({ code }: DatabaseError): boolean {
  return code === undefined || /^(08|40|53|55|57)/.test(code);
}
