import type { RequestContext } from '../../../calls/index.ts';
import type { Collection } from '../collections/index.ts';
import type { QueryCost } from '../query/index.ts';
import { passes } from './check-rules.ts';
import type { PlacedRule } from './parse-rule.ts';
import type { ReadingScopes } from './reading-scopes.ts';
import type { CheckedDocument } from './store.ts';

/** Does a document pass a rule? It need not be stored. */
export type Judge = (context: Pick<RequestContext, 'db'>, document: CheckedDocument) => Promise<boolean>;

/**
 * Judges documents by a rule, for one caller. Links that a document holds itself count, also if the catalogue does not
 * know them yet: it learns of a link only once the write that brings it is allowed.
 */
export async function judgeFor(
  scopes: ReadingScopes,
  caller: Pick<RequestContext, 'project' | 'principal' | 'db'>,
  collection: Collection,
  rule: PlacedRule,
  cost?: QueryCost,
): Promise<Judge> {
  if (caller.principal.isTrusted) return () => Promise.resolve(true);
  if (!scopes.mayFollowLinks(rule)) {
    const filter = await scopes.ruleFor(caller, collection, rule, cost && { cost });
    return (context, document) => passes(context, collection, filter, document);
  }
  return async (context, document) => {
    // On the connection of the call that writes: whoever holds one must not wait for another.
    const { db } = context;
    const filter = await scopes.ruleFor({ ...caller, db }, collection, rule, { holder: document.data });
    return passes(context, collection, filter, document);
  };
}
