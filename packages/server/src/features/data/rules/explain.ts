import { type Condition, type Filter, formatPath } from '@plinth/protocol';
import type { RequestContext } from '../../../calls/index.ts';
import type { Collection } from '../collections/index.ts';
import { type QueryScope, valueAt } from '../query/index.ts';
import { bindCondition, bindRule, callerFor, callerValue, operandsOf, type RuleCaller } from './bind-rule.ts';
import { type Action, isClosedTo, matched, passes, ruleOf } from './check-rules.ts';
import { fieldRule, type RuledField } from './field-rules.ts';
import { isAboutCaller, parseRule } from './parse-rule.ts';
import type { ReadingScopes } from './reading-scopes.ts';
import type { CheckedDocument } from './store.ts';

/** How one rule judges one document, with the values that decided. */
export interface Verdict {
  readonly action: Action;
  /** The field whose own rule it is. */
  readonly field?: string;
  readonly rule: string;
  readonly allowed: boolean;
  readonly reason: string;
  readonly conditions: ConditionVerdict[];
}

interface ConditionVerdict {
  readonly condition: string;
  readonly passed: boolean;
  /** What the document, or the caller, has there; absent where it has nothing. */
  readonly found?: unknown;
  /** What it is compared with for this caller; null when the caller has no such value. */
  readonly comparedWith: unknown;
}

/** What is to be explained. */
interface Explained {
  readonly action: Action;
  /** Set where a rule of a field is asked about. */
  readonly field?: RuledField;
  readonly document: CheckedDocument | undefined;
  /** The document is stored like this: whoever reads it looks through the links that the catalogue knows. */
  readonly isStored: boolean;
}

/** Says which rule decides about a document and why. The context is the caller's whose rights are asked about. */
export async function explainRule(
  scopes: ReadingScopes,
  context: RequestContext,
  collection: Collection,
  { action, field, document, isStored }: Explained,
): Promise<Verdict> {
  const placed =
    field && (action === 'create' || action === 'update')
      ? fieldRule(collection, field, action)
      : ruleOf(collection, action);
  const rule = parseRule(placed);
  const base = { action, ...(field && { field: field.field }), rule: placed.text };
  if (isClosedTo(context.principal, placed.text)) {
    return { ...base, allowed: false, reason: closedReason(rule.kind), conditions: [] };
  }
  const scope = await scopes.documents(
    { ...context, principal: { isTrusted: true } },
    collection,
    document && !(action === 'read' && isStored) ? { holder: document.data } : {},
  );
  if (rule.kind === 'public' || rule.kind === 'users') {
    return { ...base, allowed: true, reason: `"${rule.kind}" allows it.`, conditions: [] };
  }
  if (!document)
    return {
      ...base,
      allowed: true,
      reason: 'The list only contains documents that the rule allows.',
      conditions: [],
    };
  const filter = await bindRule(rule, context, { settings: collection.settings, scope });
  const allowed = await passes(context, collection, filter, document);
  const conditions =
    rule.kind === 'conditions'
      ? await explainConditions(context, collection, rule.filter, {
          document,
          scope,
          caller: await callerFor(rule, context),
        })
      : [];
  return { ...base, allowed, reason: reasonOf(rule.kind, allowed, conditions, collection), conditions };
}

/** What the conditions of a rule are held against. */
interface Asked {
  readonly document: CheckedDocument;
  readonly scope: QueryScope;
  readonly caller: RuleCaller;
}

async function explainConditions(
  context: RequestContext,
  collection: Collection,
  filter: Filter,
  asked: Asked,
): Promise<ConditionVerdict[]> {
  if (filter.kind !== 'condition') {
    const parts = await Promise.all(
      filter.of.map((part) => explainConditions(context, collection, part, asked)),
    );
    return parts.flat();
  }
  const { document, scope, caller } = asked;
  const bound = await bindCondition(filter, caller, scope);
  const found = foundBy(filter, asked);
  return [
    {
      condition: conditionText(filter),
      passed: await passes(context, collection, bound, document),
      ...(found !== undefined && { found }),
      comparedWith: comparedWith(filter, caller),
    },
  ];
}

function foundBy(condition: Condition, { document, scope, caller }: Asked): unknown {
  if (isAboutCaller(condition)) return callerValue(condition, caller);
  const target = scope.targetOf(condition.path);
  return typeof target === 'object' ? valueAt(target, matched(document)) : undefined;
}

function comparedWith(condition: Condition, caller: RuleCaller): unknown {
  const operands = operandsOf(condition, caller);
  if (!operands) return null;
  const values = operands.map((operand) => ('text' in operand ? operand.text : operand.value));
  return condition.operator === 'in' || condition.operator === 'notin' ? values : values[0];
}

function conditionText({ path, operator, value }: Condition): string {
  return `${formatPath(path)}${operator === 'eq' ? '' : `__${operator}`}=${value}`;
}

function closedReason(kind: string): string {
  return kind === 'locked' ? '"locked": only the API key has access.' : `"${kind}" needs a signed-in user.`;
}

function reasonOf(
  kind: string,
  allowed: boolean,
  conditions: readonly ConditionVerdict[],
  { settings }: Collection,
): string {
  if (kind === 'owner')
    return `The user ${allowed ? 'is' : 'is not'} the owner: "${settings.ownerField}" contains the owner’s id.`;
  if (allowed) return 'The conditions are met.';
  const failed = conditions.filter(({ passed }) => !passed).map(({ condition }) => condition);
  return `Not met: ${failed.join('; ')}.`;
}
