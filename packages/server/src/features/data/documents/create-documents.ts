import {
  type Answer,
  type Events,
  type RequestContext,
  requireNoClaim,
  withKey,
} from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
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
import { namedId, refuseTaken } from './named-ids.ts';
import { happenedTo, recorderFor } from './record-events.ts';
import { insertTogether, isShareable, isShort } from './shared-store.ts';
import { insertDocuments } from './store.ts';

interface NewWish {
  readonly body: Fields;
  /** What the project's code has made of it; undefined: it was not asked. */
  readonly guarded: Fields | undefined;
  readonly files?: readonly NewFile[];
  /** What the caller is told of it. */
  readonly answerWith: (document: StoredDocument) => NowOrLater<Answer>;
}

export async function createDocument(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  { body, guarded, files = [], answerWith }: NewWish,
): Promise<Answer> {
  const judge = await judgeCreates(deps, context, collection);
  const created = await newDocument(deps, context, collection, { judge, body, guarded });
  await deps.schemas.requireFit(context, collection, created.document.data);
  const held = filesIn(created.document.data, files);
  const document = { ...created.document, holdsFiles: held.length > 0 };
  const answer = await answerWith(document);
  const recorder = await recorderFor(deps, context, collection, 'post_create');
  const events = recorder?.eventsOf(context, [happenedTo(document)]);
  const write = (context: RequestContext, insertIt: () => Promise<number | undefined>) =>
    insert(deps, context, collection, [{ ...created, document }], insertIt);
  if (held.length === 0 && !hasUnique(collection) && !created.isNamed) {
    await write(context, () => insertOne(deps, context, collection, { document, answer, events }));
    return answer;
  }
  requireNoClaim(context);
  await context.db.transaction(async (db) => {
    await refuseTaken(db, collection, [created], () =>
      write({ ...context, db }, () => insertDocuments(db, collection, [document])),
    );
    if (held.length > 0) await recordFiles({ ...context, db }, held, { heldBy: document.id });
    await claimUnique({ ...context, db }, collection, [document]);
    await events?.write(db);
  });
  return answer;
}

/** Creates documents, all or none; they come back in the order of their bodies. */
export async function createDocuments(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  bodies: readonly Fields[],
  guarded: readonly Fields[] | undefined,
): Promise<StoredDocument[]> {
  checkBatchSize(bodies.length);
  const judge = await judgeCreates(deps, context, collection);
  const created: NewDocument[] = [];
  const yielder = new Yielder(context.project.id);
  for (const [index, body] of bodies.entries()) {
    if (yielder.isRestDue) await yielder.rest();
    const wish = { judge, body, guarded: guarded?.[index] };
    created.push(await atIndex(index, () => newDocument(deps, context, collection, wish)));
  }
  const documents = created.map(({ document }) => document);
  const items = documents.map(({ id, data }, index) => ({ id, data, index }));
  await requireAllFit(deps, context, collection, items);
  const write = (context: RequestContext) =>
    insert(deps, context, collection, created, (documents) =>
      insertDocuments(context.db, collection, documents),
    );
  const events = await recorderFor(deps, context, collection, 'post_create');
  if (!hasUnique(collection) && !created.some(({ isNamed }) => isNamed) && !events) {
    await write(context);
    return documents;
  }
  await context.db.transaction(async (db) => {
    await refuseTaken(db, collection, created, () => write({ ...context, db }));
    await claimUnique({ ...context, db }, collection, items);
    await events?.record(
      { ...context, db },
      documents.map((document) => happenedTo(document)),
    );
  });
  return documents;
}

interface NewDocument {
  readonly document: WrittenDocument;
  readonly fields: Fields;
  /** The caller has made its id. */
  readonly isNamed: boolean;
}

/** Says of new documents whether the caller may create them. */
export async function judgeCreates(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
): Promise<Judge> {
  requireOpen(context, collection, 'create');
  return judgeFor(scopes, context, collection, ruleOf(collection, 'create'));
}

/** A document that the rules let the caller create: as the body says, or as the project's code has made it of that. */
export async function newDocument(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  { judge, body, guarded }: { judge: Judge; body: Fields; guarded?: Fields | undefined },
): Promise<NewDocument> {
  refuseProtected(context.principal, collection, body);
  const fields = guarded ?? withOwner(context.principal, collection, plainFields(body));
  const named = namedId(collection, body.id);
  const id = named ?? newId(collection.number);
  const data = fieldsJson(fields);
  const document = {
    id,
    version: 1,
    // What was made long ago, without a connection, is new all the same to those who ask what has changed.
    updatedAt: named === undefined ? timeOfId(id) : Math.max(timeOfId(id), Date.now()),
    holdsFiles: false,
    bytes: countedBytes(data),
    data,
  };
  const checked = { ...document, data: fields };
  if (!(await judge(context, checked))) throw denied('create');
  await requireFieldsToCreate(scopes, context, collection, checked);
  return { document, fields, isNamed: named !== undefined };
}

/** Writes new documents, and counts them. */
async function insert(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  created: readonly NewDocument[],
  insertAll: (documents: readonly WrittenDocument[]) => Promise<number | undefined>,
): Promise<void> {
  const { links, loadLinked, fieldNames, growth, quotas } = deps;
  const bodies = created.map(({ fields }) => fields);
  await links.note(context, collection.number, bodies, loadLinked(context));
  await fieldNames.note(context, collection.number, bodies);
  const documents = created.map(({ document }) => document);
  const amounts = {
    documents: documents.length,
    documentBytes: documents.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const counted = await quotas.spend(context, amounts, () => insertAll(documents));
  if (counted === undefined) throw collectionNotFound(collection.name);
  growth.note(context, collection);
  spreadBusyCount(context, collection, counted);
}

/** In a statement that it shares with others, if it can. */
async function insertOne(
  { quotas }: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  { document, answer, events }: { document: WrittenDocument; answer: Answer; events: Events | undefined },
): Promise<number | undefined> {
  if (isShareable(collection) && isShort(document, events)) {
    const counted = await withKey(context, { quotas, answer }, (key) =>
      insertTogether(context.db, collection, document, { key, events }),
    );
    if (counted !== undefined) return counted;
  }
  requireNoClaim(context);
  if (!events) return insertDocuments(context.db, collection, [document]);
  return context.db.transaction(async (db) => {
    const counted = await insertDocuments(db, collection, [document]);
    if (counted !== undefined) await events.write(db);
    return counted;
  });
}
