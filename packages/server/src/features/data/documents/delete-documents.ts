import {
  type Answer,
  AskAgain,
  ok,
  type RequestContext,
  requireNoClaim,
  withKey,
} from '../../../calls/index.ts';
import { isId } from '../../../platform/ids.ts';
import { releaseHeldBy } from '../../files/index.ts';
import type { Collection } from '../collections/index.ts';
import { denied } from '../rules/index.ts';
import { hasUnique, releaseUnique } from '../unique-values/index.ts';
import { atIndex, checkBatchSize, lockBatch } from './batch.ts';
import type { DocumentDeps } from './deps.ts';
import type { StoredDocument, WrittenDocument } from './document.ts';
import { versionMismatch } from './errors.ts';
import type { AllowedVersions } from './if-match.ts';
import { happenedTo, recorderFor } from './record-events.ts';
import { canChange, canRead, lockOne, type Rights, rightsFor } from './rights.ts';
import { isShareable, removeTogether } from './shared-store.ts';
import { lockIds, removeDocuments } from './store.ts';

/** Versions of documents of which the project's code has said that they may go; undefined: it was not asked. */
export type GuardedDeletes = ReadonlyMap<string, number> | undefined;

export async function deleteDocument(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  { id, ifMatch, guarded }: { id: string; ifMatch: AllowedVersions; guarded: GuardedDeletes },
): Promise<Answer> {
  const rights = await rightsFor(deps, context, collection, 'delete');
  const needsNoLook = context.principal.isTrusted && !ifMatch && !guarded && isId(id);
  const { quotas } = deps;
  const answer = ok({ id, deleted: true });
  const events = await recorderFor(deps, context, collection, 'post_delete');
  if (needsNoLook && !events && isShareable(collection) && !hasUnique(collection)) {
    const isRemoved = await withKey(context, { quotas, answer }, (key) =>
      removeTogether(context.db, collection, id, key),
    );
    if (isRemoved) return answer;
  }
  requireNoClaim(context);
  await context.db.transaction(async (db) => {
    const document = await lockOne({ ...context, db }, rights, id, ifMatch);
    if (!(await canChange({ ...context, db }, rights, document))) throw denied('delete');
    requireSeen(guarded, document);
    await releaseHeldBy(db, await removeDocuments(db, collection, [id]), deps.storage);
    await releaseUnique(db, collection, [id]);
    await events?.record({ ...context, db }, [happenedTo(document)]);
  });
  return answer;
}

/** Deletes those of the ids that exist; the others are named as missing. One that is denied stops it all. */
export async function deleteDocuments(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  ids: readonly string[],
  guarded: GuardedDeletes,
): Promise<{ deleted: number; ids: string[]; missing: string[] }> {
  checkBatchSize(ids.length);
  const rights = await rightsFor(deps, context, collection, 'delete');
  const asked = [...new Set(ids)];
  const events = await recorderFor(deps, context, collection, 'post_delete');
  return context.db.transaction(async (db) => {
    const needsLook = events !== undefined || guarded !== undefined || !context.principal.isTrusted;
    const documents = needsLook ? await lockAllowed({ ...context, db }, rights, ids) : undefined;
    for (const document of documents?.values() ?? []) requireSeen(guarded, document);
    const found = new Set(documents?.keys() ?? (await lockIds(db, collection, asked.filter(isId))));
    await releaseHeldBy(db, await removeDocuments(db, collection, [...found]), deps.storage);
    await releaseUnique(db, collection, [...found]);
    await events?.record(
      { ...context, db },
      Array.from(documents?.values() ?? [], (document) => happenedTo(document)),
    );
    return {
      deleted: found.size,
      ids: asked.filter((id) => found.has(id)),
      missing: asked.filter((id) => !found.has(id)),
    };
  });
}

function requireSeen(guarded: GuardedDeletes, { id, version }: StoredDocument): void {
  if (guarded && guarded.get(id) !== version)
    throw new AskAgain(versionMismatch(version, { isQuoted: true }));
}

/** Of some documents, locks those that the caller may read; one it may read but not delete stops it all. */
async function lockAllowed(
  context: RequestContext,
  rights: Rights,
  ids: readonly string[],
): Promise<Map<string, WrittenDocument>> {
  const found = await lockBatch(context.db, rights.collection, ids);
  const allowed = new Map<string, WrittenDocument>();
  for (const [index, id] of ids.entries()) {
    const document = found.get(id);
    if (!document || !(await canRead(context, rights, document))) continue;
    if (!(await canChange(context, rights, document))) {
      await atIndex(index, () => Promise.reject(denied('delete')));
    }
    allowed.set(id, document);
  }
  return allowed;
}
