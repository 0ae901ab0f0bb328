import type { RequestContext } from '../../../calls/index.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { newId, timeOfId } from '../../../platform/ids.ts';
import { type NewFile, recordFiles } from '../../files/index.ts';
import { type Collection, collectionNotFound, spreadBusyCount } from '../collections/index.ts';
import { type Fields, fieldsJson, plainFields } from '../records/index.ts';
import {
  denied,
  type Judge,
  judgeFor,
  refuseProtected,
  requireFieldsToCreate,
  requireOpen,
  ruleOf,
  withOwner,
} from '../rules/index.ts';
import { claimUnique, hasUnique } from '../unique-values/index.ts';
import { atIndex, checkBatchSize, requireAllFit } from './batch.ts';
import type { DocumentDeps } from './deps.ts';
import { countedBytes, type StoredDocument, type WrittenDocument } from './document.ts';
import { filesIn } from './held-files.ts';
import { insertTogether, isShareable, isShort } from './shared-store.ts';
import { insertDocuments } from './store.ts';

export async function createDocument(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  { body, files = [] }: { body: Fields; files?: readonly NewFile[] },
): Promise<StoredDocument> {
  requireOpen(context, collection, 'create');
  const judge = await judgeFor(deps.scopes, context, collection, ruleOf(collection, 'create'));
  const created = await newDocument(deps, context, collection, { judge, body });
  await deps.schemas.requireFit(context, collection, created.document.data);
  const held = filesIn(created.document.data, files);
  if (held.length === 0 && !hasUnique(collection)) {
    await insert(deps, context, collection, [created]);
    return created.document;
  }
  const document = { ...created.document, holdsFiles: held.length > 0 };
  await context.db.transaction(async (db) => {
    await insert(deps, { ...context, db }, collection, [{ ...created, document }]);
    if (held.length > 0) await recordFiles({ ...context, db }, held, { heldBy: document.id });
    await claimUnique({ ...context, db }, collection, [document]);
  });
  return document;
}

/** Creates documents, all or none; they come back in the order of their bodies. */
export async function createDocuments(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  bodies: readonly Fields[],
): Promise<StoredDocument[]> {
  checkBatchSize(bodies.length);
  requireOpen(context, collection, 'create');
  const judge = await judgeFor(deps.scopes, context, collection, ruleOf(collection, 'create'));
  const created: NewDocument[] = [];
  const yielder = new Yielder(context.project.id);
  for (const [index, body] of bodies.entries()) {
    if (yielder.isRestDue) await yielder.rest();
    created.push(await atIndex(index, () => newDocument(deps, context, collection, { judge, body })));
  }
  const documents = created.map(({ document }) => document);
  const items = documents.map(({ id, data }, index) => ({ id, data, index }));
  await requireAllFit(deps, context, collection, items);
  if (!hasUnique(collection)) {
    await insert(deps, context, collection, created);
    return documents;
  }
  await context.db.transaction(async (db) => {
    await insert(deps, { ...context, db }, collection, created);
    await claimUnique({ ...context, db }, collection, items);
  });
  return documents;
}

interface NewDocument {
  readonly document: WrittenDocument;
  readonly fields: Fields;
}

async function newDocument(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  { judge, body }: { judge: Judge; body: Fields },
): Promise<NewDocument> {
  refuseProtected(context.principal, collection, body);
  const fields = withOwner(context.principal, collection, plainFields(body));
  const id = newId(collection.number);
  const data = fieldsJson(fields);
  const document = {
    id,
    version: 1,
    updatedAt: timeOfId(id),
    holdsFiles: false,
    bytes: countedBytes(data),
    data,
  };
  const checked = { ...document, data: fields };
  if (!(await judge(context, checked))) throw denied('create');
  await requireFieldsToCreate(scopes, context, collection, checked);
  return { document, fields };
}

async function insert(
  { links, loadLinked, fieldNames, growth, quotas }: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  created: readonly NewDocument[],
): Promise<void> {
  const { db } = context;
  const bodies = created.map(({ fields }) => fields);
  await links.note(context, collection.number, bodies, loadLinked(context));
  await fieldNames.note(context, collection.number, bodies);
  const documents = created.map(({ document }) => document);
  const [first, ...others] = documents;
  const shared = first && others.length === 0 && canShare(collection, first) ? first : undefined;
  const amounts = {
    documents: documents.length,
    documentBytes: documents.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const counted = await quotas.spend(
    context,
    amounts,
    async () =>
      (shared && (await insertTogether(db, collection, shared))) ??
      (await insertDocuments(db, collection, documents)),
  );
  if (counted === undefined) throw collectionNotFound(collection.name);
  growth.note(context, collection);
  spreadBusyCount(context, collection, counted);
}

/** Can the document be inserted in one statement with those of others? */
function canShare(collection: Collection, document: WrittenDocument): boolean {
  return isShareable(collection) && isShort(document) && !document.holdsFiles;
}
