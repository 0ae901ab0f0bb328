import { newId, timeOfId } from '../../platform/ids.ts';
import { type Collection, collectionNotFound, spreadCount } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { atIndex, checkBatchSize } from './batch.ts';
import type { Fields, StoredDocument } from './document.ts';
import { fieldsJson, plainFields } from './fields.ts';
import { insertDocuments } from './store.ts';

/** From how many documents on a collection counts in more than one row. */
const busyFrom = 1000;

export async function createDocument(
  context: RequestContext,
  collection: Collection,
  body: Fields,
): Promise<StoredDocument> {
  const document = newDocument(collection, body);
  await insert(context, collection, [document]);
  return document;
}

/** Creates documents, all or none; they come back in the order of their bodies. */
export async function createDocuments(
  context: RequestContext,
  collection: Collection,
  bodies: readonly Fields[],
): Promise<StoredDocument[]> {
  checkBatchSize(bodies);
  const documents = bodies.map((body, index) => atIndex(index, () => newDocument(collection, body)));
  await insert(context, collection, documents);
  return documents;
}

async function insert(
  { db, log }: RequestContext,
  collection: Collection,
  documents: readonly StoredDocument[],
): Promise<void> {
  const counted = await insertDocuments(db, collection, documents);
  if (counted === undefined) throw collectionNotFound(collection.name);
  if (counted < busyFrom || collection.countSlots > 1) return;
  const apart = db.apart();
  db.afterCommit(() => {
    spreadCount(apart, collection.number).catch((error: unknown) => {
      log.warn({ err: error }, 'a busy collection still counts in one row');
    });
  });
}

function newDocument({ number }: Collection, body: Fields): StoredDocument {
  const data = fieldsJson(plainFields(body));
  const id = newId(number);
  return { id, version: 1, updatedAt: timeOfId(id), data };
}
