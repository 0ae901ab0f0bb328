import type { Project } from '../../../calls/index.ts';
import {
  type Collection,
  type CollectionIndex,
  countDocuments,
  findCollection,
} from '../collections/index.ts';
import { beginRecorded, removeIndex } from '../indexes/index.ts';
import { isInOwnTable, isInSharedTable, ownTableFrom } from '../placement/index.ts';
import { dropUniqueValues } from '../unique-values/index.ts';
import { keysOf, recordAutomatic, wantedFor } from './auto-index.ts';
import { buildIndex } from './build-index.ts';
import { buildUniqueIndex } from './build-unique.ts';
import type { Builder, TendingDeps } from './deps.ts';
import { giveTable } from './give-table.ts';
import { dropObject } from './object-store.ts';
import { untilAlone } from './until-alone.ts';

/** After this long no further step is taken, so that other collections and projects have their turn. */
const turnMs = 1000;

/** Looks after the indexes of a collection for one turn; whether there may be more to do. */
export async function tendCollection(
  { cells, log, signal }: TendingDeps,
  project: Pick<Project, 'id' | 'cell' | 'limits'>,
  number: number,
): Promise<'some' | 'done'> {
  const pool = cells.pool(project.cell);
  return cells.session(project.cell, signal, async (connection) => {
    await untilAlone(connection, `tend ${project.id}/${number}`, signal);
    const until = performance.now() + turnMs;
    const builder = { connection, pool, db: cells.forProject(project), limits: project.limits, log, signal };
    while (await takeStep(builder, number)) {
      signal.throwIfAborted();
      if (performance.now() > until) return 'some';
    }
    return 'done';
  });
}

/** Does the next thing there is to do; false if there is nothing. */
async function takeStep(builder: Builder, number: number): Promise<boolean> {
  const collection = await findCollection(builder.db, `#${number}`);
  if (!collection) return false;
  const { indexes } = collection;
  const dropped = indexes.find(({ state }) => state === 'dropping');
  if (dropped) {
    await removeDropped(builder, collection, dropped);
    return true;
  }
  const unique = indexes.find(({ kind, state }) => kind === 'unique' && state === 'building');
  if (unique) {
    await buildUniqueIndex(builder, collection, unique);
    return true;
  }
  if (await isReadyToBuild(builder, collection)) {
    await beginRecorded(builder.db, number);
    return true;
  }
  const next = indexes.find(({ state }) => state === 'building');
  if (!next) return helpSlowQueries(builder, collection);
  if (!isInOwnTable(collection)) return giveTable(builder, collection, { waiting: next });
  await buildIndex(builder, collection, next);
  return true;
}

/** Are there indexes that waited for the collection to grow, and has it? */
async function isReadyToBuild({ db }: Builder, collection: Collection): Promise<boolean> {
  if (!collection.indexes.some(({ state }) => state === 'recorded')) return false;
  return !isInSharedTable(collection) || (await countDocuments(db, collection.number)) >= ownTableFrom;
}

/** Makes what slow queries lack. */
async function helpSlowQueries(builder: Builder, collection: Collection): Promise<boolean> {
  const wanted = await wantedFor(builder, collection);
  if (wanted.length === 0) return false;
  if (!isInOwnTable(collection)) return giveTable(builder, collection, { keys: keysOf(wanted) });
  await recordAutomatic(builder, collection, wanted);
  return true;
}

async function removeDropped(
  { connection, db }: Builder,
  collection: Collection,
  index: CollectionIndex,
): Promise<void> {
  if (index.kind === 'unique') {
    while ((await dropUniqueValues(db, collection, index.id)) > 0);
  } else if (isInOwnTable(collection)) await dropObject(connection, index);
  await removeIndex(db, collection.number, index.id);
}
