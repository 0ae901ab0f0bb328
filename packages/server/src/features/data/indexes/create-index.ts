import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Quotas, RequestContext } from '../../../calls/index.ts';
import {
  type Collection,
  type CollectionDirectory,
  collectionNotFound,
  countDocuments,
  lockCollection,
  namesOf,
} from '../collections/index.ts';
import { beginPlacementEpoch, isInSharedTable, ownTableFrom } from '../placement/index.ts';
import { type IndexRow, indexRecord } from './collection-index.ts';
import { indexExists, invalidIndex, tooManyIndexes } from './errors.ts';
import { type AskedKind, readFields } from './read-fields.ts';
import { scheduleTending } from './schedule-tending.ts';
import { insertIndex, listIndexes, updateIndex } from './store.ts';

/** Indexes that you can create on one collection: each makes every write more expensive. @limit too_many_indexes */
const maxAsked = 20;

export interface IndexDeps {
  readonly directory: CollectionDirectory;
  /** How many indexes a project may have. */
  readonly quotas: Quotas;
}

interface AskedIndex {
  readonly kind: AskedKind;
  readonly fields: readonly string[];
}

/** Records an index, and has it built. */
export async function createIndex(
  deps: IndexDeps,
  context: RequestContext,
  nameOrId: string,
  asked: AskedIndex,
) {
  const fields = readAskedFields(asked);
  return addIndex(deps, context, await deps.directory.get(context, nameOrId), { ...asked, fields });
}

/** The fields of an index that is asked for, each written in one way; refuses an index that would be of no use. */
export function readAskedFields({ kind, fields: given }: AskedIndex): string[] {
  const fields = readFields(kind, given);
  if (kind === 'sort' && fields.every((field) => /^-?(id|createdAt)$/.test(field)))
    throw invalidIndex('Lists by id and createdAt already have an index.');
  return fields;
}

/** The same for a collection that the transaction itself may have made, and fields that were read. */
export async function addIndex(
  { directory, quotas }: IndexDeps,
  context: RequestContext,
  { number, name }: Pick<Collection, 'number' | 'name'>,
  { kind, fields }: AskedIndex,
) {
  return quotas.spend(context, { indexes: 1 }, () =>
    context.db.transaction(async (db) => {
      const collection = await lockCollection(db, number);
      if (!collection) throw collectionNotFound(name);
      const known = await listIndexes(db, number);
      const same = known.find(
        (row) => row.kind === kind && row.state !== 'dropping' && isDeepStrictEqual(row.fields, fields),
      );
      checkRoom(known.filter((row) => row !== same));
      // An earlier attempt that failed is removed; this is a new one.
      const failed = same?.state === 'failed' ? same : undefined;
      if (failed) await updateIndex(db, number, failed.id, { state: 'dropping' });
      const documents = await countDocuments(db, number);
      const isWaiting = kind !== 'unique' && isInSharedTable(collection) && documents < ownTableFrom;
      const index = await insertIndex(db, number, {
        id: randomUUID(),
        kind,
        fields,
        state: isWaiting ? 'recorded' : 'building',
        isAutomatic: false,
        reason: null,
      });
      if (!index) throw indexExists(kind, fields);
      // From here on every writer keeps its values, while those of older documents are collected.
      if (kind === 'unique') await beginPlacementEpoch(db, number);
      if (index.state === 'building' || failed) await scheduleTending({ ...context, db }, number);
      await directory.changed(db, context.project, namesOf(collection));
      return indexRecord(index, collection, documents);
    }),
  );
}

/** An index that is being dropped makes room at once, but only so many can be on their way out. */
function checkRoom(others: readonly IndexRow[]): void {
  const standing = others.filter(({ isAutomatic, state }) => !isAutomatic && state !== 'dropping');
  if (standing.length >= maxAsked || others.length >= 3 * maxAsked) throw tooManyIndexes(maxAsked);
}
