import { sql } from '../../platform/db/sql.ts';
import { timeOfId } from '../../platform/ids.ts';
import type { Collection } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { type CheckedFilter, compileFilter, hasLinks, type MatchedRecord, matches } from '../query/index.ts';
import { ruleDenied, signInRequired } from './errors.ts';
import { parseRule } from './parse-rule.ts';

export type Action = 'read' | 'create' | 'update' | 'delete';

/** Is the action closed to this caller whatever the document? Conditions never close it: they narrow. */
export function isClosed(
  { principal }: Pick<RequestContext, 'principal'>,
  collection: Collection,
  action: Action,
): boolean {
  if (principal.isTrusted) return false;
  const rule = parseRule(action, collection.settings.rules[action]);
  if (rule.kind === 'locked') return true;
  return (rule.kind === 'users' || rule.kind === 'owner') && !principal.user;
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

/** A document that is stored or about to be. */
export interface CheckedDocument {
  readonly id: string;
  readonly updatedAt: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Does a document pass? In memory where it can be, else by the same filter in SQL on the document as a row. */
export async function passes(
  { db }: Pick<RequestContext, 'db'>,
  { number }: Collection,
  filter: CheckedFilter,
  document: CheckedDocument,
): Promise<boolean> {
  if (!hasLinks(filter)) return matches(filter, matched(document));
  const rows = await db.query(sql`
    SELECT FROM (SELECT ${db.scope}::bigint AS project_id, ${number}::int AS collection, ${document.id}::uuid AS id,
      ${document.updatedAt}::bigint AS updated_at, ${JSON.stringify(document.data)}::jsonb AS data) AS own
    WHERE ${compileFilter(filter)}`);
  return rows.length === 1;
}

export function matched(document: CheckedDocument): MatchedRecord {
  return { ...document, createdAt: timeOfId(document.id) };
}
