import type { CallGuards, RequestContext, WriteGuard } from '../../../calls/index.ts';
import { isId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { applyPatch, type Fields, parseFields } from '../records/index.ts';
import { refuseProtected } from '../rules/index.ts';
import { atIndex, requireHoldable } from './batch.ts';
import { changedDocument, type GuardedChange } from './change-documents.ts';
import { judgeCreates, newDocument } from './create-documents.ts';
import type { GuardedDeletes } from './delete-documents.ts';
import type { DocumentDeps } from './deps.ts';
import { documentJson, type StoredDocument } from './document.ts';
import { guardedBatchTooLarge } from './errors.ts';
import { findCollectionFor } from './find-collection.ts';
import type { AllowedVersions } from './if-match.ts';
import { canChange, canRead, type Rights, requireVersion, rightsFor } from './rights.ts';
import { findDocuments } from './store.ts';

/*
 * Asks the code of the project about what is to be written. The rules come first, so that nobody makes code run by asking
 * for what they may not do; they are asked again about what the code has made of it, when it is written.
 */

/** Items in a batch on a collection with a hook that runs before writes. @limit batch_too_large */
const mostGuarded = 100;
/** Of a batch, the code is asked about so many at a time. */
const atOnce = 10;

interface Asking {
  readonly guards: CallGuards;
  /** A failure says which item it was. */
  readonly isBatch: boolean;
}

/** What the code makes of new documents. */
export async function guardCreates(
  deps: DocumentDeps,
  context: RequestContext,
  collectionName: string,
  { bodies, guards, isBatch }: { bodies: readonly Fields[] } & Asking,
): Promise<Fields[] | undefined> {
  const collection = await findCollectionFor(deps, context, collectionName);
  const hooks = guards.before('pre_create', collection.name);
  if (!hooks) return undefined;
  const judge = await judgeCreates(deps, context, collection);
  return eachOf(bodies, isBatch, async (body) => {
    const { document, fields, isNamed } = await newDocument(deps, context, collection, { judge, body });
    const id = isNamed && { id: document.id };
    return asked(hooks, fields, (fields) => ({ document: { ...id, ...fields } }));
  });
}

interface WantedChange {
  readonly id: string;
  readonly body: Fields;
  readonly ifMatch?: AllowedVersions;
  readonly isReplacement: boolean;
}

/** What the code makes of changes. A document that is changed twice is changed in order. */
export async function guardChanges(
  deps: DocumentDeps,
  context: RequestContext,
  collectionName: string,
  { changes, guards, isBatch }: { changes: readonly WantedChange[] } & Asking,
): Promise<GuardedChange[] | undefined> {
  const collection = await findCollectionFor(deps, context, collectionName);
  const hooks = guards.before('pre_update', collection.name);
  if (!hooks) return undefined;
  const rights = await rightsFor(deps, context, collection, 'update');
  const stored = await findAll(
    context,
    collection,
    changes.map(({ id }) => id),
  );
  const latest = new Map<string, ReturnType<typeof guardChange>>();
  return eachOf(changes, isBatch, async (change) => {
    const earlier = latest.get(change.id);
    const one = async () => {
      const before = earlier ? (await earlier).after : stored.get(change.id);
      return guardChange(deps, context, { rights, hooks, change, stored: before });
    };
    const guarded = one();
    latest.set(change.id, guarded);
    return guarded;
  });
}

interface OneChange {
  readonly rights: Rights;
  readonly hooks: readonly WriteGuard[];
  readonly change: WantedChange;
  readonly stored: StoredDocument | undefined;
}

async function guardChange(
  deps: DocumentDeps,
  context: RequestContext,
  { rights, hooks, change, stored }: OneChange,
): Promise<GuardedChange & { readonly after?: StoredDocument }> {
  const { body, ifMatch, isReplacement } = change;
  refuseProtected(context.principal, rights.collection, body);
  // What is not there for the caller is not asked about: the change itself says so.
  if (!stored || !(await canRead(context, rights, stored))) return { version: undefined, fields: {} };
  await requireVersion(context, rights, stored, ifMatch);
  const wish = { body, guarded: undefined, isReplacement };
  const after = await changedDocument(deps, context, rights, stored, wish);
  const { id, createdAt, updatedAt, ...wanted } = shown(after);
  const before = shown(stored);
  const fields = await asked(hooks, wanted, (fields) => ({
    document: { id, createdAt, updatedAt, ...fields },
    before,
    changes: body,
  }));
  return { version: stored.version, fields, after: { ...after, data: JSON.stringify(fields) } };
}

/** Lets the code say whether documents may be deleted. */
export async function guardDeletes(
  deps: DocumentDeps,
  context: RequestContext,
  collectionName: string,
  { ids, guards, isBatch }: { ids: readonly string[] } & Asking,
): Promise<GuardedDeletes> {
  const collection = await findCollectionFor(deps, context, collectionName);
  const hooks = guards.before('pre_delete', collection.name);
  if (!hooks) return undefined;
  const rights = await rightsFor(deps, context, collection, 'delete');
  const stored = await findAll(context, collection, ids);
  const seen = new Map<string, number>();
  await eachOf([...new Set(ids)], isBatch, async (id) => {
    const document = stored.get(id);
    if (!document || !(await canRead(context, rights, document))) return;
    if (!(await canChange(context, rights, document))) return;
    for (const ask of hooks) await ask({ document: shown(document) });
    seen.set(id, document.version);
  });
  return seen;
}

/** The fields as the code wants them: what each hook returns is put over them as a PATCH is. */
async function asked(
  hooks: readonly WriteGuard[],
  wanted: Fields,
  tell: (fields: Fields) => Fields,
): Promise<Fields> {
  let fields = wanted;
  for (const ask of hooks) {
    const changes = await ask(tell(fields));
    if (changes) fields = applyPatch(fields, changes);
  }
  return fields;
}

const shown = (document: StoredDocument): Fields => parseFields(documentJson(document));

async function findAll(
  { db }: RequestContext,
  collection: Collection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  requireFew(ids);
  const found = await findDocuments(db, collection, [...new Set(ids.filter(isId))]);
  requireHoldable(Array.from(found.values()).reduce((sum, { data }) => sum + data.length, 0));
  return found;
}

function requireFew({ length }: readonly unknown[]): void {
  if (length > mostGuarded) throw guardedBatchTooLarge(mostGuarded);
}

/** Does the work for each, some at a time. */
async function eachOf<Item, Result>(
  items: readonly Item[],
  isBatch: boolean,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  requireFew(items);
  const one = (item: Item, index: number) => (isBatch ? atIndex(index, () => work(item)) : work(item));
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    const some = items.slice(at, at + atOnce);
    results.push(...(await Promise.all(some.map((item, index) => one(item, at + index)))));
  }
  return results;
}
