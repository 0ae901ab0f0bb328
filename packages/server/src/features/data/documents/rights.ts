import type { RequestContext } from '../../../calls/index.ts';
import { isId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { type CheckedFilter, QueryCost } from '../query/index.ts';
import { parseFields } from '../records/index.ts';
import { type Action, passes, requireOpen } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import type { StoredDocument, WrittenDocument } from './document.ts';
import { documentNotFound, versionMismatch } from './errors.ts';
import type { AllowedVersions } from './if-match.ts';
import { lockDocuments } from './store.ts';

/** The rules that decide about changing documents of a collection, for one caller. */
export interface Rights {
  readonly collection: Collection;
  readonly readable: CheckedFilter;
  readonly changeable: CheckedFilter;
}

export async function rightsFor(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  action: Action,
): Promise<Rights> {
  requireOpen(context, collection, action);
  const cost = new QueryCost();
  const [readable, changeable] = await Promise.all([
    scopes.readable(context, collection, cost),
    scopes.ruleFor(context, collection, action, cost),
  ]);
  return { collection, readable, changeable };
}

/** May the caller read the document? */
export function canRead(
  context: RequestContext,
  { collection, readable }: Rights,
  document: StoredDocument,
): Promise<boolean> {
  return allows(context, collection, readable, document);
}

/** Does the rule for the change let the document, as it is, be changed? */
export function canChange(
  context: RequestContext,
  { collection, changeable }: Rights,
  document: StoredDocument,
): Promise<boolean> {
  return allows(context, collection, changeable, document);
}

function allows(
  context: RequestContext,
  collection: Collection,
  filter: CheckedFilter,
  document: StoredDocument,
): Promise<boolean> {
  // Trusted calls, the most frequent, need not look inside.
  if (context.principal.isTrusted) return Promise.resolve(true);
  return passes(context, collection, filter, { ...document, data: parseFields(document.data) });
}

/** Locks a document for a change. */
export async function lockOne(
  context: RequestContext,
  rights: Rights,
  id: string,
  ifMatch: AllowedVersions,
): Promise<WrittenDocument> {
  const found = isId(id) ? await lockDocuments(context.db, rights.collection, [id]) : undefined;
  const document = found?.get(id);
  if (!document) throw documentNotFound(id);
  await requireVersion(context, rights, document, ifMatch);
  return document;
}

/** Fails for a document that the caller may not read, or that is another version than the change is meant for. */
export async function requireVersion(
  context: RequestContext,
  rights: Rights,
  document: StoredDocument,
  ifMatch: AllowedVersions,
): Promise<void> {
  if (!(await canRead(context, rights, document))) throw documentNotFound(document.id);
  if (ifMatch && !ifMatch.has(document.version)) throw versionMismatch(document.version);
}
