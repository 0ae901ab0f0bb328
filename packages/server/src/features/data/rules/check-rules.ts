import {
  isInScope,
  type Need,
  type Principal,
  type RequestContext,
  requireScope,
} from '../../../calls/index.ts';
import type { AppError } from '../../../platform/errors.ts';
import { timeOfId } from '../../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import { type CheckedFilter, hasLinks, type MatchedRecord, matches } from '../query/index.ts';
import { ruleDenied, signInRequired } from './errors.ts';
import { type PlacedRule, ruleWord } from './parse-rule.ts';
import { type CheckedDocument, isRowPassing } from './store.ts';

export type Action = 'read' | 'create' | 'update' | 'delete';

/** Is the action closed to this caller whatever the document? Conditions never close it: they narrow. */
export function isClosed(
  { principal }: Pick<RequestContext, 'principal'>,
  collection: Collection,
  action: Action,
): boolean {
  return (
    !isInScope(principal, needOf(collection, action)) ||
    isClosedTo(principal, collection.settings.rules[action])
  );
}

/** What a key with scopes needs for the action. */
function needOf({ name }: Collection, action: Action): Need {
  return { area: 'documents', action: action === 'read' ? 'read' : 'write', collection: name };
}

export function isClosedTo(principal: Principal, rule: string): boolean {
  if (principal.isTrusted) return false;
  const word = ruleWord(rule);
  return word === 'locked' || ((word === 'users' || word === 'owner') && !principal.user);
}

/** The rule of a collection for an action. */
export function ruleOf({ settings }: Collection, action: Action): PlacedRule {
  return { place: `rules.${action}`, text: settings.rules[action] };
}

/** Refuses a closed action: someone who is not signed in is told to, others are told no. */
export function requireOpen(
  context: Pick<RequestContext, 'principal'>,
  collection: Collection,
  action: Action,
): void {
  requireScope(context.principal, needOf(collection, action));
  if (!isClosed(context, collection, action)) return;
  if (action === 'update' && hasOpenField(context, collection)) return;
  throw refused(context, collection, action);
}

/** Why an action is refused: who could do it after signing in is told so. */
export function refused(
  context: Pick<RequestContext, 'principal'>,
  collection: Collection,
  action: Action,
): AppError {
  const isSignInMissing = !context.principal.user && isClosed(context, collection, action);
  return isSignInMissing ? signInRequired() : denied(action);
}

/** May the caller change some field, whatever the rule of the document says? */
function hasOpenField({ principal }: Pick<RequestContext, 'principal'>, { settings }: Collection): boolean {
  return Object.values(settings.fieldRules ?? {}).some(
    ({ update = 'locked' }) => !isClosedTo(principal, update),
  );
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
