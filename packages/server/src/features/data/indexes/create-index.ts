import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Quotas, RequestContext } from '../../../calls/index.ts';
import {
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

/** Indexes that are asked for in one collection: each makes every write more expensive. @limit too_many_indexes */
const maxAsked = 20;

export interface IndexDeps {
  readonly directory: CollectionDirectory;
  /** How many indexes a project may have. */
  readonly quotas: Quotas;
}

/** Records an index, and has it built. */
export async function createIndex(
  { directory, quotas }: IndexDeps,
  context: RequestContext,
  nameOrId: string,
  asked: { kind: AskedKind; fields: readonly string[] },
) {
  const fields = readFields(asked.kind, asked.fields);
  if (asked.kind === 'sort' && fields.every((field) => /^-?(id|createdAt)$/.test(field)))
    throw invalidIndex('Lists by id and createdAt have their index already.');
  const { number } = await directory.get(context, nameOrId);
  return quotas.spend(context, { indexes: 1 }, () =>
    context.db.transaction(async (db) => {
      const collection = await lockCollection(db, number);
      if (!collection) throw collectionNotFound(nameOrId);
      const known = await listIndexes(db, number);
      const same = known.find(
        (row) => row.kind === asked.kind && row.state !== 'dropping' && isDeepStrictEqual(row.fields, fields),
      );
      checkRoom(known.filter((row) => row !== same));
      // An earlier attempt that failed is removed; this is a new one.
      const failed = same?.state === 'failed' ? same : undefined;
      if (failed) await updateIndex(db, number, failed.id, { state: 'dropping' });
      const documents = await countDocuments(db, number);
      const isWaiting = asked.kind !== 'unique' && isInSharedTable(collection) && documents < ownTableFrom;
      const index = await insertIndex(db, number, {
        id: randomUUID(),
        kind: asked.kind,
        fields,
        state: isWaiting ? 'recorded' : 'building',
        isAutomatic: false,
        reason: null,
      });
      if (!index) throw indexExists(asked.kind, fields);
      // From here on every writer keeps its values, while those of older documents are collected.
      if (asked.kind === 'unique') await beginPlacementEpoch(db, number);
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
