import { newId, timeOfId } from '../../platform/ids.ts';
import { type Collection, collectionNotFound, spreadCount } from '../collections/index.ts';
import { claimUnique, hasUnique, noteGrowth } from '../indexes/index.ts';
import type { RequestContext } from '../projects/index.ts';
import type { CheckedFilter } from '../query/index.ts';
import { denied, passes, refuseProtected, requireFit, requireOpen, withOwner } from '../rules/index.ts';
import { type NewFile, recordFiles } from '../storage/index.ts';
import { atIndex, checkBatchSize } from './batch.ts';
import type { Fields, StoredDocument, WrittenDocument } from './document.ts';
import { fieldsJson, plainFields } from './fields.ts';
import { filesIn } from './held-files.ts';
import type { DocumentServices } from './services.ts';
import { insertTogether, isShareable, isShort } from './shared-store.ts';
import { insertDocuments } from './store.ts';

/** From how many documents on a collection counts in more than one row. */
const busyFrom = 1000;

export async function createDocument(
  services: DocumentServices,
  context: RequestContext,
  collection: Collection,
  { body, files = [] }: { body: Fields; files?: readonly NewFile[] },
): Promise<StoredDocument> {
  requireOpen(context, collection, 'create');
  const rule = await services.scopes.ruleFor(context, collection, 'create');
  const created = await newDocument(context, collection, rule, body);
  const held = filesIn(created.document.data, files);
  if (held.length === 0 && !hasUnique(collection)) {
    await insert(services, context, collection, [created]);
    return created.document;
  }
  const document = { ...created.document, holdsFiles: held.length > 0 };
  await context.db.transaction(async (db) => {
    await insert(services, { ...context, db }, collection, [{ ...created, document }]);
    if (held.length > 0) await recordFiles({ ...context, db }, held, { heldBy: document.id });
    await claimUnique({ ...context, db }, collection, [document]);
  });
  return document;
}

/** Creates documents, all or none; they come back in the order of their bodies. */
export async function createDocuments(
  services: DocumentServices,
  context: RequestContext,
  collection: Collection,
  bodies: readonly Fields[],
): Promise<StoredDocument[]> {
  checkBatchSize(bodies);
  requireOpen(context, collection, 'create');
  const rule = await services.scopes.ruleFor(context, collection, 'create');
  const created: NewDocument[] = [];
  for (const [index, body] of bodies.entries()) {
    created.push(await atIndex(index, () => newDocument(context, collection, rule, body)));
  }
  const documents = created.map(({ document }) => document);
  if (!hasUnique(collection)) {
    await insert(services, context, collection, created);
    return documents;
  }
  await context.db.transaction(async (db) => {
    await insert(services, { ...context, db }, collection, created);
    const items = documents.map(({ id, data }, index) => ({ id, data, index }));
    await claimUnique({ ...context, db }, collection, items);
  });
  return documents;
}

interface NewDocument {
  readonly document: WrittenDocument;
  readonly fields: Fields;
}

async function newDocument(
  context: RequestContext,
  collection: Collection,
  rule: CheckedFilter,
  body: Fields,
): Promise<NewDocument> {
  refuseProtected(context.principal, collection, body);
  const fields = withOwner(context.principal, collection, plainFields(body));
  requireFit(collection, fields);
  const id = newId(collection.number);
  const document = { id, version: 1, updatedAt: timeOfId(id), holdsFiles: false, data: fieldsJson(fields) };
  if (!(await passes(context, collection, rule, { ...document, data: fields }))) throw denied('create');
  return { document, fields };
}

async function insert(
  { links, loadLinked }: DocumentServices,
  context: RequestContext,
  collection: Collection,
  created: readonly NewDocument[],
): Promise<void> {
  const { db, log } = context;
  await links.note(
    context,
    collection.number,
    created.map(({ fields }) => fields),
    loadLinked(context),
  );
  const documents = created.map(({ document }) => document);
  const [first] = documents;
  const isShared = documents.length === 1 && isShareable(collection) && isShort(first!) && !first!.holdsFiles;
  const counted =
    (isShared ? await insertTogether(db, collection, first!) : undefined) ??
    (await insertDocuments(db, collection, documents));
  if (counted === undefined) throw collectionNotFound(collection.name);
  noteGrowth(context, collection);
  if (counted < busyFrom || collection.countSlots > 1) return;
  const apart = db.apart();
  db.afterCommit(() => {
    spreadCount(apart, collection.number).catch((error: unknown) => {
      log.warn({ err: error }, 'a busy collection still counts in one row');
    });
  });
}
