import type { RequestContext } from '../../../calls/index.ts';
import { timeOfId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { type CheckedFilter, hasLinks, type MatchedRecord, matches } from '../query/index.ts';
import { ruleDenied, signInRequired } from './errors.ts';
import { ruleWord } from './parse-rule.ts';
import { type CheckedDocument, isRowPassing } from './store.ts';

export type Action = 'read' | 'create' | 'update' | 'delete';

/** Is the action closed to this caller whatever the document? Conditions never close it: they narrow. */
export function isClosed(
  { principal }: Pick<RequestContext, 'principal'>,
  collection: Collection,
  action: Action,
): boolean {
  if (principal.isTrusted) return false;
  const word = ruleWord(collection.settings.rules[action]);
  return word === 'locked' || ((word === 'users' || word === 'owner') && !principal.user);
}

/** Refuses a closed action: someone who is not signed in is told to, others are told no. */
export function requireOpen(
  context: Pick<RequestContext, 'principal'>,
  collection: Collection,
  action: Action,
): void {
  if (!isClosed(context, collection, action)) return;
  throw context.principal.user ? ruleDenied(wording[action]) : signInRequired();
}

const wording: Record<Action, string> = {
  read: 'list these documents',
  create: 'create this document',
  update: 'make this change',
  delete: 'delete this document',
};

export const denied = (action: Action) => ruleDenied(wording[action]);

/** Does a document pass? In memory where it can be, else by the same filter in SQL on the document as a row. */
export async function passes(
  { db }: Pick<RequestContext, 'db'>,
  { number }: Collection,
  filter: CheckedFilter,
  document: CheckedDocument,
): Promise<boolean> {
  if (!hasLinks(filter)) return matches(filter, matched(document));
  return isRowPassing(db, filter, { ...document, collection: number });
}

export function matched(document: CheckedDocument): MatchedRecord {
  return { ...document, createdAt: timeOfId(document.id) };
}
