import type { ProjectDb } from '../../platform/db/project-db.ts';
import { isId } from '../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import type { WrittenDocument } from './document.ts';
import { batchOfLargeDocuments } from './errors.ts';
import { lockDocuments, lockIds } from './store.ts';

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
    if (characters > limits.characters) throw batchOfLargeDocuments();
  }
  return documents;
}
