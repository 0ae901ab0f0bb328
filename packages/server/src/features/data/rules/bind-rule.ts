import { type Condition, type Filter, formatPath, parsePath, QueryError, splitList } from '@plinth/protocol';
import type { RequestContext, SignedInUser, UserProfile } from '../../../calls/index.ts';
import type { CollectionSettings } from '../collections/index.ts';
import {
  type CheckedFilter,
  checkOperands,
  everything,
  isEverything,
  matches,
  nothing,
  type Operand,
  type QueryScope,
  type Scalar,
} from '../query/index.ts';
import { valueAtPath } from '../records/index.ts';
import { type ConditionsRule, isAboutCaller, type Rule } from './parse-rule.ts';

/** The caller, as far as a rule refers to it. */
export interface RuleCaller {
  readonly user?: Omit<SignedInUser, 'profile'> & Partial<UserProfile>;
}

/** What is kept of the caller is read only for a rule that refers to it. */
export async function callerFor(
  { needsProfile }: ConditionsRule,
  { principal, db }: Pick<RequestContext, 'principal' | 'db'>,
): Promise<RuleCaller> {
  const { user } = principal;
  return user && needsProfile ? { user: { ...user, ...(await user.profile(db)) } } : principal;
}

/**
 * The rule for one caller at one moment: a filter with every reference replaced by a typed value. It is compiled to
 * SQL or matched in memory like any other. A condition whose reference is absent is false under every operator.
 */
export async function bindRule(
  rule: Rule,
  context: Pick<RequestContext, 'principal' | 'db'>,
  { settings, scope }: { settings: CollectionSettings; scope: QueryScope },
): Promise<CheckedFilter> {
  const { principal } = context;
  switch (rule.kind) {
    case 'locked':
      return nothing;
    case 'public':
      return everything;
    case 'users':
      return principal.user ? everything : nothing;
    case 'owner':
      return principal.user && settings.ownerField !== null
        ? {
            kind: 'test',
            target: { kind: 'json', column: 'data', path: [settings.ownerField] },
            test: { kind: 'equals', candidates: [principal.user.id] },
          }
        : nothing;
    case 'conditions':
      return bindFilter(rule.filter, await callerFor(rule, context), scope);
  }
}

async function bindFilter(filter: Filter, caller: RuleCaller, scope: QueryScope): Promise<CheckedFilter> {
  if (filter.kind === 'condition') return bindCondition(filter, caller, scope);
  const of = await Promise.all(filter.of.map((part) => bindFilter(part, caller, scope)));
  return filter.kind === 'and' ? allOf(of) : anyOf(of);
}

/** What is true or false of the caller alone is settled here: an admin's list is as quick as if there were no rule. */
function allOf(parts: readonly CheckedFilter[]): CheckedFilter {
  if (parts.some(isNothing)) return nothing;
  return { kind: 'and', of: parts.filter((part) => !isEverything(part)) };
}

function anyOf(parts: readonly CheckedFilter[]): CheckedFilter {
  if (parts.some(isEverything)) return everything;
  return { kind: 'or', of: parts.filter((part) => !isNothing(part)) };
}

function isNothing(filter: CheckedFilter): boolean {
  return filter.kind === 'or' && filter.of.length === 0;
}

export async function bindCondition(
  condition: Condition,
  caller: RuleCaller,
  scope: QueryScope,
): Promise<CheckedFilter> {
  const operands = operandsOf(condition, caller);
  if (operands === undefined) return nothing;
  try {
    if (isAboutCaller(condition)) return await bindCaller(condition, operands, caller, scope);
    return await checkOperands(condition, operands, scope);
  } catch (error) {
    // The caller's value does not fit the field, such as a name where a time is compared.
    if (error instanceof QueryError) return nothing;
    throw error;
  }
}

/**
 * A condition on a value of the caller is true or false of every document. It is asked as of a document that has the
 * value in a field, so that operators mean the same. Nobody signed in, or no such value: false under every operator but
 * the one that asks for it.
 */
async function bindCaller(
  condition: Condition,
  operands: readonly Operand[],
  caller: RuleCaller,
  { cost }: QueryScope,
): Promise<CheckedFilter> {
  const found = callerValue(condition, caller);
  const isAbsent = found === undefined || found === null;
  if (!caller.user || (isAbsent && condition.operator !== 'isnull')) return nothing;
  const filter = await checkOperands({ ...condition, path: ['found'] }, operands, {
    cost,
    linkRoot: [],
    targetOf: (path) => ({ kind: 'json', column: 'data', path }),
    linksAt: () => [],
    linked: () => Promise.resolve(undefined),
  });
  return matches(filter, { id: '', data: { found } }) ? everything : nothing;
}

/** What a condition on the caller looks at. */
export function callerValue({ path }: Condition, caller: RuleCaller): unknown {
  return resolve(formatPath(path), caller);
}

/** The values of a condition for this caller; undefined when one of them is absent. */
export function operandsOf(
  { parameter, operator, value }: Condition,
  caller: RuleCaller,
): Operand[] | undefined {
  const isList = operator === 'in' || operator === 'notin';
  const operands: Operand[] = [];
  for (const text of isList ? splitList(parameter, value) : [value]) {
    if (!text.startsWith('@')) {
      operands.push({ text: text.startsWith('\\@') ? text.slice(1) : text });
      continue;
    }
    const found = resolve(text, caller);
    if (isScalar(found)) operands.push({ value: found });
    else if (isList && Array.isArray(found))
      operands.push(...found.filter(isScalar).map((element) => ({ value: element })));
    else return undefined;
  }
  return operands;
}

function resolve(reference: string, { user }: RuleCaller): unknown {
  if (reference === '@now') return new Date().toISOString();
  if (!user) return undefined;
  // Anyone can sign up with an address that is not theirs.
  if (reference === '@user.email' && !user.email_verified) return undefined;
  return valueAtPath(user, parsePath(reference, reference.slice('@user.'.length)));
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
