import type { ProjectDb } from '../../platform/db/project-db.ts';
import { isId } from '../../platform/ids.ts';
import { parseJsonText } from '../../platform/json.ts';
import type { Collection } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { atIndex, checkBatchSize } from './batch.ts';
import type { Fields, StoredDocument } from './document.ts';
import { batchItemNotFound, batchOfLargeDocuments, documentNotFound, versionMismatch } from './errors.ts';
import { fieldsJson, plainFields } from './fields.ts';
import { applyPatch } from './operators.ts';
import { lockDocuments, lockIds, removeDocuments, saveDocuments } from './store.ts';

/** What If-Match allows: any of these versions, or any version there is. */
export type AllowedVersions = ReadonlySet<number> | undefined;

/** Replaces the fields a body names and applies its operators. */
export async function patchDocument(
  context: RequestContext,
  collection: Collection,
  id: string,
  change: { body: Fields; ifMatch: AllowedVersions },
): Promise<StoredDocument> {
  return changeOne(context, collection, id, change.ifMatch, (before) => applyPatch(before, change.body));
}

/** Replaces all fields. */
export async function replaceDocument(
  context: RequestContext,
  collection: Collection,
  id: string,
  change: { body: Fields; ifMatch: AllowedVersions },
): Promise<StoredDocument> {
  return changeOne(context, collection, id, change.ifMatch, () => plainFields(change.body));
}

async function changeOne(
  { db }: RequestContext,
  { number }: Collection,
  id: string,
  ifMatch: AllowedVersions,
  change: (before: Fields) => Fields,
): Promise<StoredDocument> {
  return db.transaction(async (db) => {
    const before = await lockOne(db, number, id, ifMatch);
    const after = changed(before, change);
    await saveDocuments(db, number, [after]);
    return after;
  });
}

/** Patches several documents, all or none. One named twice is changed twice, in order. */
export async function patchDocuments(
  { db }: RequestContext,
  { number }: Collection,
  updates: readonly (Fields & { id: string })[],
): Promise<StoredDocument[]> {
  checkBatchSize(updates);
  return db.transaction(async (db) => {
    const documents = await lockBatch(
      db,
      number,
      updates.map(({ id }) => id),
    );
    for (const [index, update] of updates.entries()) {
      atIndex(index, () => {
        const before = documents.get(update.id);
        if (!before) throw batchItemNotFound(update.id);
        documents.set(
          update.id,
          changed(before, (fields) => applyPatch(fields, update)),
        );
      });
    }
    await saveDocuments(db, number, [...documents.values()]);
    return updates.map(({ id }) => documents.get(id)!);
  });
}

export async function deleteDocument(
  { db }: RequestContext,
  collection: Collection,
  id: string,
  ifMatch: AllowedVersions,
): Promise<void> {
  await db.transaction(async (db) => {
    await lockOne(db, collection.number, id, ifMatch);
    await removeDocuments(db, collection, [id]);
  });
}

/** Deletes those of the ids that exist; the others are named as missing. */
export async function deleteDocuments(
  { db }: RequestContext,
  collection: Collection,
  ids: readonly string[],
): Promise<{ deleted: number; ids: string[]; missing: string[] }> {
  checkBatchSize(ids);
  const asked = [...new Set(ids)];
  return db.transaction(async (db) => {
    const found = await lockIds(db, collection.number, asked.filter(isId));
    await removeDocuments(db, collection, [...found]);
    return {
      deleted: found.size,
      ids: asked.filter((id) => found.has(id)),
      missing: asked.filter((id) => !found.has(id)),
    };
  });
}

/** How much of stored documents one batch takes into memory, and reads at a time. */
const batchLimit = { characters: 16 * 1_048_576, atOnce: 100 };

/** Locks the documents of a batch in the order of their ids, and stops before they are too much to hold. */
async function lockBatch(
  db: ProjectDb,
  collection: number,
  ids: readonly string[],
): Promise<Map<string, StoredDocument>> {
  const ordered = [...new Set(ids.filter(isId))].toSorted();
  const documents = new Map<string, StoredDocument>();
  let characters = 0;
  for (let at = 0; at < ordered.length; at += batchLimit.atOnce) {
    for (const [id, document] of await lockDocuments(
      db,
      collection,
      ordered.slice(at, at + batchLimit.atOnce),
    )) {
      documents.set(id, document);
      characters += document.data.length;
    }
    if (characters > batchLimit.characters) throw batchOfLargeDocuments();
  }
  return documents;
}

async function lockOne(
  db: ProjectDb,
  collection: number,
  id: string,
  ifMatch: AllowedVersions,
): Promise<StoredDocument> {
  const document = isId(id) ? (await lockDocuments(db, collection, [id])).get(id) : undefined;
  if (!document) throw documentNotFound(id);
  if (ifMatch && !ifMatch.has(document.version)) throw versionMismatch(document.version);
  return document;
}

function changed(before: StoredDocument, change: (fields: Fields) => Fields): StoredDocument {
  return {
    id: before.id,
    version: before.version + 1,
    // Always later than before, also when this node's clock is behind.
    updatedAt: Math.max(Date.now(), before.updatedAt + 1),
    data: fieldsJson(change(parseJsonText(before.data) as Fields)),
  };
}
