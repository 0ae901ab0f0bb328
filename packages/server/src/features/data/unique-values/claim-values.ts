import { formatPath } from '@plinth/protocol';
import type { RequestContext } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { AppError } from '../../../platform/errors.ts';
import type { Collection, CollectionIndex } from '../collections/index.ts';
import { hiddenPaths, isHidden } from '../rules/index.ts';
import { duplicateValue } from './errors.ts';
import { type Claim, claimFound, claimSent, findChanges, giveUp, giveUpAll } from './store.ts';
import type { SentDocument } from './values-store.ts';

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

/** Says only that there is another document: neither which one, nor the names of fields that the caller may not see. */
function refusal(
  principal: RequestContext['principal'],
  { indexes, settings }: Collection,
  { lost, documents }: { lost: Claim; documents: readonly SentDocument[] },
): AppError {
  const hidden = hiddenPaths(principal, settings);
  const fields = indexes.find(({ id }) => id === lost.indexId)?.fields ?? [];
  const named = fields.filter(({ path }) => !isHidden(hidden, path));
  return duplicateValue(
    named.map(({ path }) => formatPath(path)),
    documents.find(({ id }) => id === lost.document)?.index,
  );
}
