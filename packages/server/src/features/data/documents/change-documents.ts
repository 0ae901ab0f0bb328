import { isOperatorName } from '@plinth/protocol';
import {
  type Answer,
  AskAgain,
  type EventRecorder,
  type RequestContext,
  requireNoClaim,
  withKey,
} from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { isId } from '../../../platform/ids.ts';
import type { NewFile } from '../../files/index.ts';
import type { Collection } from '../collections/index.ts';
import { applyPatch, type Fields, fieldsJson, parseFields, plainFields } from '../records/index.ts';
import {
  type CheckedDocument,
  keepFieldsLeftOut,
  keepProtected,
  type ReadingScopes,
  refused,
  refuseProtected,
  requireFieldsToChange,
  ruledFields,
} from '../rules/index.ts';
import { hasUnique, reclaimUnique } from '../unique-values/index.ts';
import { atIndex, checkBatchSize, lockBatch, requireAllFit } from './batch.ts';
import type { DocumentDeps } from './deps.ts';
import { countedBytes, type StoredDocument, step, type WrittenDocument } from './document.ts';
import { batchItemNotFound, versionMismatch } from './errors.ts';
import { settleFiles } from './held-files.ts';
import type { AllowedVersions } from './if-match.ts';
import { happenedTo, recorderFor } from './record-events.ts';
import { canRead, lockOne, type Rights, requireVersion, rightsFor } from './rights.ts';
import { findTogether, isShareable, isShort, mergeTogether, saveTogether } from './shared-store.ts';
import { saveDocuments } from './store.ts';

/** A change that the project's code has seen, and what it has made of it. */
export interface GuardedChange {
  /** Of the document that it has seen: it has said nothing of another. Undefined: there was none. */
  readonly version: number | undefined;
  readonly fields: Fields;
}

interface Change {
  readonly id: string;
  readonly body: Fields;
  /** What the project's code has made of it; undefined: it was not asked. */
  readonly guarded: GuardedChange | undefined;
  readonly ifMatch: AllowedVersions;
  /** A PUT replaces all fields; a PATCH those it names. */
  readonly isReplacement: boolean;
  /** Files that came with the change. */
  readonly files?: readonly NewFile[];
  /** What the caller is told of the document after it. */
  readonly answerWith: (document: StoredDocument) => NowOrLater<Answer>;
}

/** Changes one document: PATCH and PUT. */
export async function changeDocument(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  change: Change,
): Promise<Answer> {
  const rights = await rightsFor(deps, context, collection, 'update');
  refuseProtected(context.principal, collection, change.body);
  const events = await recorderFor(deps, context, collection, 'post_update');
  return deps.documentLocks.run(
    `${collection.projectId}/${change.id}`,
    async () =>
      (await mergeFields(deps, context, rights, change, events)) ??
      (await changeTogether(deps, context, rights, change, events)) ??
      (await changeAlone(deps, context, rights, change, events)),
  );
}

/** A longer patch seldom leaves the count of bytes as it is, so that setting its fields at once would be in vain. */
const longestMerged = step;

/**
 * Sets fields of a document that nothing has to be looked up in before: in one statement, shared with others. Undefined: it
 * must be read.
 */
async function mergeFields(
  deps: DocumentDeps,
  context: RequestContext,
  { collection }: Rights,
  { id, body, ...change }: Change,
  recorder: EventRecorder | undefined,
): Promise<Answer | undefined> {
  const needsLook =
    !context.principal.isTrusted ||
    context.claim ||
    recorder ||
    change.guarded ||
    change.ifMatch ||
    change.isReplacement ||
    change.files?.length ||
    collection.settings.schema ||
    hasUnique(collection) ||
    Object.keys(body).some(isOperatorName);
  if (needsLook || !isShareable(collection) || !isId(id)) return undefined;
  const patch = JSON.stringify(plainFields(body));
  if (patch.length > longestMerged) return undefined;
  const { links, fieldNames, quotas } = deps;
  // Noted before the document is known to exist, they would be noted of one that does not.
  const isKnown =
    links.hasNone(collection.number, body) && (await fieldNames.hasSeen(context, collection.number, body));
  if (!isKnown) return undefined;
  const merged = await quotas.spend(context, {}, () => mergeTogether(context.db, collection, { id, patch }));
  if (!merged) return undefined;
  const { version, updatedAt, before } = merged;
  const data = fieldsJson(applyPatch(parseFields(before), body));
  return change.answerWith({ id, version, updatedAt, data });
}

/**
 * Changes the document as it is read, if it is still the same when it is written: in two statements, both shared with
 * others. Undefined: it must be done alone.
 */
async function changeTogether(
  deps: DocumentDeps,
  context: RequestContext,
  rights: Rights,
  change: Change,
  recorder: EventRecorder | undefined,
): Promise<Answer | undefined> {
  const { collection } = rights;
  if (!isShareable(collection) || hasUnique(collection) || change.files?.length || !isId(change.id))
    return undefined;
  const before = await findTogether(context.db, collection, change.id);
  if (!before || before.holdsFiles) return undefined;
  await requireVersion(context, rights, before, change.ifMatch);
  const after = await changed(deps, context, rights, before, change);
  await deps.schemas.requireFit(context, collection, after.data);
  await noteBodies(deps, context, collection, [change.guarded?.fields ?? change.body]);
  const events = recorder?.eventsOf(context, [happenedTo(after, before)]);
  if (!isShort(after, events)) return undefined;
  const { quotas } = deps;
  const answer = await change.answerWith(after);
  const isSaved = await quotas.spend(context, { documentBytes: after.bytes - before.bytes }, () =>
    withKey(context, { quotas, answer }, (key) =>
      saveTogether(context.db, collection, { before, after }, { key, events }),
    ),
  );
  return isSaved ? answer : undefined;
}

async function changeAlone(
  deps: DocumentDeps,
  context: RequestContext,
  rights: Rights,
  change: Change,
  events: EventRecorder | undefined,
): Promise<Answer> {
  requireNoClaim(context);
  const { collection } = rights;
  return context.db.transaction(async (db) => {
    const before = await lockOne({ ...context, db }, rights, change.id, change.ifMatch);
    const wanted = await changed(deps, { ...context, db }, rights, before, change);
    await deps.schemas.requireFit(context, collection, wanted.data);
    await noteBodies(deps, { ...context, db }, collection, [change.guarded?.fields ?? change.body]);
    const settled = await settleFiles(deps, { ...context, db }, [wanted], change.files);
    await save(deps, { ...context, db }, collection, { before: [before], after: settled });
    await reclaimUnique({ ...context, db }, collection, settled);
    const [after = wanted] = settled;
    await events?.record({ ...context, db }, [happenedTo(after, before)]);
    return change.answerWith(after);
  });
}

/** Patches several documents, all or none. One named twice is changed twice, in order. */
export async function patchDocuments(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  updates: readonly (Fields & { id: string })[],
  guarded: readonly GuardedChange[] | undefined,
): Promise<StoredDocument[]> {
  checkBatchSize(updates.length);
  const rights = await rightsFor(deps, context, collection, 'update');
  const ids = updates.map(({ id }) => id);
  const events = await recorderFor(deps, context, collection, 'post_update');
  return context.db.transaction(async (db) => {
    const documents = await lockBatch(db, collection, ids);
    const before = [...documents.values()];
    const yielder = new Yielder(context.project.id);
    for (const [index, body] of updates.entries()) {
      if (yielder.isRestDue) await yielder.rest();
      await atIndex(index, async () => {
        const before = documents.get(body.id);
        const change = { body, guarded: guarded?.[index] };
        documents.set(body.id, await patched(deps, { ...context, db }, rights, before, change));
      });
    }
    const places = new Map(ids.map((id, index) => [id, index]));
    const itemOf = ({ id, data }: WrittenDocument) => ({ id, data, index: places.get(id) ?? 0 });
    await requireAllFit(deps, context, collection, [...documents.values()].map(itemOf));
    await noteBodies(deps, { ...context, db }, collection, guarded?.map(({ fields }) => fields) ?? updates);
    const settled = await settleFiles(deps, { ...context, db }, [...documents.values()]);
    await save(deps, { ...context, db }, collection, { before, after: settled });
    await reclaimUnique({ ...context, db }, collection, settled.map(itemOf));
    const olds = new Map(before.map((document) => [document.id, document]));
    await events?.record(
      { ...context, db },
      settled.map((document) => happenedTo(document, olds.get(document.id))),
    );
    return ids.flatMap((id) => documents.get(id) ?? []);
  });
}

/** Writes locked documents, and counts what they have more or less than before. */
async function save(
  { quotas }: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  { before, after }: { before: readonly WrittenDocument[]; after: readonly WrittenDocument[] },
): Promise<void> {
  const added = bytesOf(after) - bytesOf(before);
  await quotas.spend(context, { documentBytes: added }, () =>
    saveDocuments(context.db, collection, after, added),
  );
}

function bytesOf(documents: readonly WrittenDocument[]): number {
  return documents.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** One of a batch, after its change. */
async function patched(
  deps: DocumentDeps,
  context: RequestContext,
  rights: Rights,
  before: WrittenDocument | undefined,
  { body, guarded }: { body: Fields & { id: string }; guarded: GuardedChange | undefined },
): Promise<WrittenDocument> {
  refuseProtected(context.principal, rights.collection, body);
  if (!before || !(await canRead(context, rights, before))) throw batchItemNotFound(body.id);
  return changed(deps, context, rights, before, { body, guarded, isReplacement: false });
}

/** Only what was allowed is noted: a link that was refused must not change what others ask. */
async function noteBodies(
  { links, loadLinked, fieldNames }: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  bodies: readonly Fields[],
): Promise<void> {
  await links.note(context, collection.number, bodies, loadLinked(context));
  await fieldNames.note(context, collection.number, bodies);
}

async function changed(
  deps: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  rights: Rights,
  stored: WrittenDocument,
  change: Pick<Change, 'body' | 'guarded' | 'isReplacement'>,
): Promise<WrittenDocument> {
  const { version } = stored;
  if (change.guarded && change.guarded.version !== version)
    throw new AskAgain(versionMismatch(version, { isQuoted: true }));
  const after = await changedDocument(deps, context, rights, stored, change);
  return { ...after, holdsFiles: stored.holdsFiles, bytes: countedBytes(after.data) };
}

/** The document after a change that its rules allow, on it as it was and as it would become. */
export async function changedDocument(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  rights: Rights,
  stored: StoredDocument,
  change: Pick<Change, 'body' | 'guarded' | 'isReplacement'>,
): Promise<StoredDocument> {
  const { collection } = rights;
  if (!isShort(stored)) await new Yielder(context.project.id).rest();
  const before = { ...stored, data: parseFields(stored.data) };
  const hasFieldRules = ruledFields(collection.settings).length > 0;
  // Where one rule decides, a change that it refuses says nothing else of what it would have done.
  if (!hasFieldRules) await requireChangeable(context, rights, before);
  const fields = change.guarded?.fields ?? (await wantedFields(scopes, context, collection, before, change));
  const after = {
    id: stored.id,
    version: stored.version + 1,
    // Always later than before, also when this node's clock is behind.
    updatedAt: Math.max(Date.now(), stored.updatedAt + 1),
    data: fieldsJson(fields),
  };
  const checked = { before, after: { ...after, data: fields } };
  const { isRestTouched } = await requireFieldsToChange(scopes, context, collection, checked);
  if (isRestTouched && hasFieldRules) await requireChangeable(context, rights, before);
  if (isRestTouched) await requireChangeable(context, rights, checked.after);
  return after;
}

/** The fields that the caller wants, without what it cannot touch. */
async function wantedFields(
  scopes: ReadingScopes,
  context: RequestContext,
  collection: Collection,
  before: CheckedDocument,
  { body, isReplacement }: Pick<Change, 'body' | 'isReplacement'>,
): Promise<Fields> {
  const wanted = isReplacement ? plainFields(body) : applyPatch(before.data, body);
  const change = { before: before.data, after: wanted, isReplacement };
  const after = keepProtected(context.principal, collection, change);
  return isReplacement ? keepFieldsLeftOut(scopes, context, collection, { before, after }) : after;
}

async function requireChangeable(
  context: RequestContext,
  { collection, judge }: Rights,
  document: CheckedDocument,
): Promise<void> {
  if (!(await judge(context, document))) throw refused(context, collection, 'update');
}
