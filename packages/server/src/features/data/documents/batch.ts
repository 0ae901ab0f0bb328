import type { RequestContext } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { AppError } from '../../../platform/errors.ts';
import { isId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { isObject } from '../records/index.ts';
import type { DocumentDeps } from './deps.ts';
import type { WrittenDocument } from './document.ts';
import { batchOfLargeDocuments, batchTooLarge } from './errors.ts';
import { lockDocuments, lockIds } from './store.ts';

/** Items in a batch. @limit batch_too_large */
const maxItems = 1000;

export function checkBatchSize(count: number): void {
  if (count > maxItems) throw batchTooLarge(maxItems);
}

/** Does the work for one item of a batch; a failure says which item it was. */
export async function atIndex<Result>(index: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? ofItem(index, error) : error;
  }
}

function ofItem(index: number, error: AppError): AppError {
  return new AppError(error.code, `Item ${index}: ${error.message}`, {
    details: { ...(isObject(error.details) && error.details), index },
  });
}

/** Refuses a batch if one of its documents, as they are to be stored, does not fit the collection's schema. */
export async function requireAllFit(
  { schemas }: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  items: readonly { readonly index: number; readonly data: string }[],
): Promise<void> {
  const texts = items.map(({ data }) => data);
  const misfit = await schemas.findMisfit(context, collection, texts);
  if (misfit) throw ofItem(items[misfit.at]!.index, misfit.error);
}

/** How much of stored documents one batch takes into memory, and reads at a time. */
const limits = { characters: 16 * 1_048_576, atOnce: 100 };

/** Locks the documents of a batch in the order of their ids, and stops before they are too much to hold. */
export async function lockBatch(
  db: ProjectDb,
  collection: Collection,
  ids: readonly string[],
): Promise<Map<string, WrittenDocument>> {
  const ordered = [...new Set(ids.filter(isId))].toSorted();
  const documents = new Map<string, WrittenDocument>();
  let characters = 0;
  // While a collection moves, parts locked one after the other would go back and forth between its two tables.
  if (ordered.length > limits.atOnce) await lockIds(db, collection, ordered);
  for (let at = 0; at < ordered.length; at += limits.atOnce) {
    const chunk = await lockDocuments(db, collection, ordered.slice(at, at + limits.atOnce));
    for (const [id, document] of chunk) {
      documents.set(id, document);
      characters += document.data.length;
    }
    requireHoldable(characters);
  }
  return documents;
}

/** Refuses a batch whose documents are too much to hold. */
export function requireHoldable(characters: number): void {
  if (characters > limits.characters) throw batchOfLargeDocuments();
}
