import { isId } from '../../platform/ids.ts';
import { parseJsonText } from '../../platform/json.ts';
import type { Collection } from '../collections/index.ts';
import { hasUnique, reclaimUnique, releaseUnique } from '../indexes/index.ts';
import type { RequestContext } from '../projects/index.ts';
import type { CheckedFilter } from '../query/index.ts';
import {
  type Action,
  denied,
  keepProtected,
  passes,
  refuseProtected,
  requireFit,
  requireOpen,
} from '../rules/index.ts';
import { type NewFile, releaseHeldBy } from '../storage/index.ts';
import { atIndex, checkBatchSize } from './batch.ts';
import type { Fields, StoredDocument, WrittenDocument } from './document.ts';
import { batchItemNotFound, documentNotFound, versionMismatch } from './errors.ts';
import { fieldsJson, plainFields } from './fields.ts';
import { settleFiles } from './held-files.ts';
import { lockBatch } from './lock-batch.ts';
import { applyPatch } from './operators.ts';
import type { DocumentServices } from './services.ts';
import { findTogether, isShareable, isShort, removeTogether, saveTogether } from './shared-store.ts';
import { lockDocuments, lockIds, removeDocuments, saveDocuments } from './store.ts';

/** What If-Match allows: any of these versions, or any version there is. */
export type AllowedVersions = ReadonlySet<number> | undefined;

export interface Change {
  readonly body: Fields;
  readonly ifMatch: AllowedVersions;
  /** A PUT replaces all fields; a PATCH those it names. */
  readonly isReplacement: boolean;
  /** Files that came with the change. */
  readonly files?: readonly NewFile[];
}

/** The rules that decide about changing documents of a collection, for one caller. */
interface Rights {
  readonly readable: CheckedFilter;
  readonly changeable: CheckedFilter;
}

/** Changes one document: PATCH and PUT. */
export async function changeDocument(
  services: DocumentServices,
  context: RequestContext,
  collection: Collection,
  id: string,
  change: Change,
): Promise<StoredDocument> {
  const rights = await rightsFor(services, context, collection, 'update');
  refuseProtected(context.principal, collection, change.body);
  await services.links.note(context, collection.number, [change.body], services.loadLinked(context));
  return services.changes.run(
    `${collection.projectId}/${id}`,
    async () =>
      (await changeTogether(context, collection, rights, id, change)) ??
      (await changeAlone(services, context, collection, rights, id, change)),
  );
}

/**
 * Changes the document as it is read, if it is still the same when it is written: in two statements, both shared with
 * others. Undefined: it must be done alone.
 */
async function changeTogether(
  context: RequestContext,
  collection: Collection,
  rights: Rights,
  id: string,
  change: Change,
): Promise<StoredDocument | undefined> {
  if (!isShareable(collection) || hasUnique(collection) || change.files?.length || !isId(id))
    return undefined;
  const before = await findTogether(context.db, collection, id);
  if (!before || before.holdsFiles) return undefined;
  await requireChangeable(context, collection, rights, before, change.ifMatch);
  const after = await changed(context, collection, rights, before, change);
  return isShort(after) && (await saveTogether(context.db, collection, after)) ? after : undefined;
}

async function changeAlone(
  services: DocumentServices,
  context: RequestContext,
  collection: Collection,
  rights: Rights,
  id: string,
  change: Change,
): Promise<StoredDocument> {
  return context.db.transaction(async (db) => {
    const before = await lockOne({ ...context, db }, collection, rights, id, change.ifMatch);
    const wanted = await changed({ ...context, db }, collection, rights, before, change);
    const [after] = await settleFiles(services, { ...context, db }, [wanted], change.files);
    await saveDocuments(db, collection, [after!]);
    await reclaimUnique({ ...context, db }, collection, [after!]);
    return after!;
  });
}

/** Patches several documents, all or none. One named twice is changed twice, in order. */
export async function patchDocuments(
  services: DocumentServices,
  context: RequestContext,
  collection: Collection,
  updates: readonly (Fields & { id: string })[],
): Promise<StoredDocument[]> {
  checkBatchSize(updates);
  const rights = await rightsFor(services, context, collection, 'update');
  await services.links.note(context, collection.number, updates, services.loadLinked(context));
  return context.db.transaction(async (db) => {
    const documents = await lockBatch(
      db,
      collection,
      updates.map(({ id }) => id),
    );
    for (const [index, body] of updates.entries()) {
      await atIndex(index, async () => {
        refuseProtected(context.principal, collection, body);
        const before = documents.get(body.id);
        if (!before || !(await allows({ ...context, db }, collection, rights.readable, before))) {
          throw batchItemNotFound(body.id);
        }
        const change = { body, ifMatch: undefined, isReplacement: false };
        documents.set(body.id, await changed({ ...context, db }, collection, rights, before, change));
      });
    }
    const settled = await settleFiles(services, { ...context, db }, [...documents.values()]);
    await saveDocuments(db, collection, settled);
    const places = new Map(updates.map(({ id }, index) => [id, index]));
    const items = settled.map(({ id, data }) => ({ id, data, index: places.get(id)! }));
    await reclaimUnique({ ...context, db }, collection, items);
    return updates.map(({ id }) => documents.get(id)!);
  });
}

export async function deleteDocument(
  services: DocumentServices,
  context: RequestContext,
  collection: Collection,
  id: string,
  ifMatch: AllowedVersions,
): Promise<void> {
  const rights = await rightsFor(services, context, collection, 'delete');
  const needsNoLook = context.principal.isTrusted && !ifMatch && isId(id);
  if (needsNoLook && isShareable(collection) && !hasUnique(collection)) {
    if (await removeTogether(context.db, collection, id)) return;
  }
  await context.db.transaction(async (db) => {
    const document = await lockOne({ ...context, db }, collection, rights, id, ifMatch);
    if (!(await allows({ ...context, db }, collection, rights.changeable, document))) throw denied('delete');
    await releaseHeldBy(db, await removeDocuments(db, collection, [id]), services.storage);
    await releaseUnique(db, collection, [id]);
  });
}

/** Deletes those of the ids that exist; the others are named as missing. One that is denied stops it all. */
export async function deleteDocuments(
  services: DocumentServices,
  context: RequestContext,
  collection: Collection,
  ids: readonly string[],
): Promise<{ deleted: number; ids: string[]; missing: string[] }> {
  checkBatchSize(ids);
  const rights = await rightsFor(services, context, collection, 'delete');
  const asked = [...new Set(ids)];
  return context.db.transaction(async (db) => {
    const found = context.principal.isTrusted
      ? await lockIds(db, collection, asked.filter(isId))
      : await lockAllowed({ ...context, db }, collection, rights, asked);
    await releaseHeldBy(db, await removeDocuments(db, collection, [...found]), services.storage);
    await releaseUnique(db, collection, [...found]);
    return {
      deleted: found.size,
      ids: asked.filter((id) => found.has(id)),
      missing: asked.filter((id) => !found.has(id)),
    };
  });
}

/** Of some documents, locks those that the caller may read; one it may read but not delete stops it all. */
async function lockAllowed(
  context: RequestContext,
  collection: Collection,
  rights: Rights,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await lockBatch(context.db, collection, ids);
  const allowed = new Set<string>();
  for (const [index, id] of ids.entries()) {
    const document = found.get(id);
    if (!document || !(await allows(context, collection, rights.readable, document))) continue;
    if (!(await allows(context, collection, rights.changeable, document))) {
      await atIndex(index, () => Promise.reject(denied('delete')));
    }
    allowed.add(id);
  }
  return allowed;
}

async function rightsFor(
  { scopes }: DocumentServices,
  context: RequestContext,
  collection: Collection,
  action: Action,
): Promise<Rights> {
  requireOpen(context, collection, action);
  const [readable, changeable] = await Promise.all([
    scopes.readable(context, collection),
    scopes.ruleFor(context, collection, action),
  ]);
  return { readable, changeable };
}

async function lockOne(
  context: RequestContext,
  collection: Collection,
  rights: Rights,
  id: string,
  ifMatch: AllowedVersions,
): Promise<WrittenDocument> {
  const document = isId(id) ? (await lockDocuments(context.db, collection, [id])).get(id) : undefined;
  if (!document) throw documentNotFound(id);
  await requireChangeable(context, collection, rights, document, ifMatch);
  return document;
}

/** Fails for a document that the caller may not read, or that is another version than the change is meant for. */
async function requireChangeable(
  context: RequestContext,
  collection: Collection,
  { readable }: Rights,
  document: StoredDocument,
  ifMatch: AllowedVersions,
): Promise<void> {
  if (!(await allows(context, collection, readable, document))) throw documentNotFound(document.id);
  if (ifMatch && !ifMatch.has(document.version)) throw versionMismatch(document.version);
}

/** The document after a change that its rule allows, on it as it was and as it would become. */
async function changed(
  context: RequestContext,
  collection: Collection,
  { changeable }: Rights,
  stored: WrittenDocument,
  { body, isReplacement }: Change,
): Promise<WrittenDocument> {
  if (!(await allows(context, collection, changeable, stored))) throw denied('update');
  const before = parseJsonText(stored.data) as Fields;
  const wanted = isReplacement ? plainFields(body) : applyPatch(before, body);
  const fields = keepProtected(context.principal, collection, { before, after: wanted, isReplacement });
  requireFit(collection, fields);
  const after = {
    id: stored.id,
    version: stored.version + 1,
    // Always later than before, also when this node's clock is behind.
    updatedAt: Math.max(Date.now(), stored.updatedAt + 1),
    holdsFiles: stored.holdsFiles,
    data: fieldsJson(fields),
  };
  if (!(await passes(context, collection, changeable, { ...after, data: fields }))) throw denied('update');
  return after;
}

function allows(
  context: RequestContext,
  collection: Collection,
  filter: CheckedFilter,
  document: StoredDocument,
): Promise<boolean> {
  // Trusted calls, the most frequent, need not look inside.
  if (context.principal.isTrusted) return Promise.resolve(true);
  return passes(context, collection, filter, { ...document, data: parseJsonText(document.data) as Fields });
}
