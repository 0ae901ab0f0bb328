import type { RequestContext } from '../../../calls/index.ts';
import { isId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { type CheckedFilter, QueryCost } from '../query/index.ts';
import { parseFields } from '../records/index.ts';
import {
  type Action,
  type CheckedDocument,
  type Judge,
  judgeFor,
  passes,
  requireOpen,
  ruleOf,
} from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';
import type { StoredDocument, WrittenDocument } from './document.ts';
import { documentNotFound, versionMismatch } from './errors.ts';
import type { AllowedVersions } from './if-match.ts';
import { lockDocuments } from './store.ts';

/** The rules that decide about changing documents of a collection, for one caller. */
export interface Rights {
  readonly collection: Collection;
  readonly readable: CheckedFilter;
  /** Lets the document be changed? Asked of it as it is, and as it would become. */
  readonly judge: Judge;
}

export async function rightsFor(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  action: Action,
): Promise<Rights> {
  requireOpen(context, collection, action);
  const cost = new QueryCost();
  const [readable, judge] = await Promise.all([
    scopes.readable(context, collection, cost),
    judgeFor(scopes, context, collection, ruleOf(collection, action), cost),
  ]);
  return { collection, readable, judge };
}

/** May the caller read the document? */
export async function canRead(
  context: RequestContext,
  { collection, readable }: Rights,
  document: StoredDocument,
): Promise<boolean> {
  // Trusted calls, the most frequent, need not look inside.
  return context.principal.isTrusted || passes(context, collection, readable, checked(document));
}

/** Does the rule for the change let the document, as it is, be changed? */
export async function canChange(
  context: RequestContext,
  { judge }: Rights,
  document: StoredDocument,
): Promise<boolean> {
  return context.principal.isTrusted || judge(context, checked(document));
}

function checked(document: StoredDocument): CheckedDocument {
  return { ...document, data: parseFields(document.data) };
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
  if (ifMatch && !ifMatch.versions.has(document.version)) throw versionMismatch(document.version, ifMatch);
}
