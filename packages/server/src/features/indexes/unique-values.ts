import { formatPath } from '@plinth/protocol';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { AppError } from '../../platform/errors.ts';
import type { Collection, CollectionIndex } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { hiddenPaths, isHidden } from '../rules/index.ts';
import { duplicateValue } from './errors.ts';
import {
  type Claim,
  type Constraint,
  claimFound,
  claimSent,
  claimStored,
  findChanges,
  findHolders,
  findValues,
  giveUp,
  giveUpAll,
  holdNext,
  removeSome,
  type SentDocument,
  walkInOrder,
} from './unique-store.ts';

/*
 * A row of cell.unique_values belongs to whoever has locked its document. Values come last in a transaction, after
 * documents, counts and files: whoever waits for a value holds nothing that its holder still needs.
 */

type Caller = Pick<RequestContext, 'db' | 'principal'>;

/** Must documents of the collection differ in anything? */
export function hasUnique(collection: Collection): boolean {
  return collection.indexes.some(isEnforced);
}

function isEnforced({ kind, state }: CollectionIndex): boolean {
  return kind === 'unique' && (state === 'building' || state === 'ready');
}

/** Claims the values of new documents in the transaction that inserts them; refuses those that another document has. */
export async function claimUnique(
  { db, principal }: Caller,
  collection: Collection,
  documents: readonly SentDocument[],
): Promise<void> {
  const indexes = collection.indexes.filter(isEnforced);
  if (indexes.length === 0 || documents.length === 0) return;
  const [lost] = await claimSent(db, { collection, indexes }, documents);
  if (lost) throw refusal(principal, collection, { lost, documents });
}

/** The same for changed documents, in the transaction that has locked and saved them: what they gave up is free. */
export async function reclaimUnique(
  { db, principal }: Caller,
  collection: Collection,
  documents: readonly SentDocument[],
): Promise<void> {
  const indexes = collection.indexes.filter(isEnforced);
  if (indexes.length === 0 || documents.length === 0) return;
  const { stale, fresh } = await findChanges(db, { collection, indexes }, documents);
  if (stale.length > 0) await giveUp(db, { stale, fresh });
  if (fresh.length === 0) return;
  const [lost] = await claimFound(db, collection, fresh);
  if (lost) throw refusal(principal, collection, { lost, documents });
}

/** Frees the values of documents, in the transaction that deletes them. */
export async function releaseUnique(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<void> {
  if (hasUnique(collection) && ids.length > 0) await giveUpAll(db, collection, ids);
}

/** Says no more than that there is another document: neither which, nor the names of fields that the caller may not see. */
function refusal(
  principal: RequestContext['principal'],
  { indexes, settings }: Collection,
  { lost, documents }: { lost: Claim; documents: readonly SentDocument[] },
): AppError {
  const hidden = hiddenPaths(principal, settings);
  const { fields } = indexes.find(({ id }) => id === lost.indexId)!;
  const named = fields.filter(({ path }) => !isHidden(hidden, path));
  const { index } = documents.find(({ id }) => id === lost.document)!;
  return duplicateValue(
    named.map(({ path }) => formatPath(path)),
    index,
  );
}

interface BuiltStep {
  /** The last document of this step; undefined: there are no further ones. */
  readonly last: string | undefined;
  readonly count: number;
  /** Some of the documents that have the same values. */
  readonly duplicates: readonly Duplicate[];
}

interface Duplicate {
  /** The one that holds the values, and the other. */
  readonly ids: readonly [string, string];
  readonly values: readonly unknown[];
}

/** Claims the values of the next documents that were there before the index; doing it twice does no harm. */
export async function buildUnique(
  db: ProjectDb,
  collection: Collection,
  index: CollectionIndex,
  after?: string,
): Promise<BuiltStep> {
  return db.transaction(async (db) => {
    await walkInOrder(db);
    const constraint = { collection, indexes: [index] };
    const { ids, isLast } = await holdNext(db, collection, after);
    const duplicates: Duplicate[] = [];
    for (const pair of (await collect(db, constraint, ids)).slice(0, mostExamples)) {
      duplicates.push({ ids: pair, values: await findValues(db, constraint, pair[1]) });
    }
    return { last: isLast ? undefined : ids.at(-1), count: ids.length, duplicates };
  });
}

const mostExamples = 3;
const mostTries = 5;

/** Claims for stored documents; each that could not is named behind the one that holds its values. */
async function collect(
  db: ProjectDb,
  constraint: Constraint,
  ids: readonly string[],
): Promise<[holder: string, document: string][]> {
  for (let tried = 0; tried < mostTries; tried += 1) {
    const lost = await claimStored(db, constraint, ids);
    const found = lost.length === 0 ? [] : await findHolders(db, lost);
    const holders = new Map(found.map(({ hash, document }) => [hash.toString('hex'), document]));
    const pairs = lost.flatMap(({ hash, document }): [string, string][] => {
      const holder = holders.get(hash.toString('hex'));
      return holder === undefined ? [] : [[holder, document]];
    });
    // A holder that went away in between leaves its values to be claimed.
    if (pairs.length === lost.length) return pairs.filter(([holder, document]) => holder !== document);
  }
  throw new Error('The values of a unique index change faster than they can be collected.');
}

/** Removes some of the values of an index that writers no longer keep; how many. */
export async function dropUniqueValues(
  db: ProjectDb,
  collection: Collection,
  indexId: string,
): Promise<number> {
  return db.transaction(async (db) => {
    await walkInOrder(db);
    return removeSome(db, collection, indexId);
  });
}
