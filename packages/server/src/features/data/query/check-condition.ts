import { type Condition, type Path, QueryError, splitList } from '@plinth/protocol';
import {
  type CheckedFilter,
  type Comparison,
  isTime,
  type JsonTarget,
  type LinkedTable,
  nothing,
  type Target,
  type Test,
} from './checked-query.ts';
import { fieldNotReadable } from './errors.ts';
import { type Instant, readInstant } from './instants.ts';
import type { QueryScope } from './query-scope.ts';
import { resolveLink } from './resolve-link.ts';
import { candidatesOf, fold, readNumber, type Scalar } from './scalars.ts';

/** A value to compare with: text as a caller wrote it, or a typed value that a rule was bound to. */
export type Operand = { readonly text: string } | { readonly value: Scalar };

/** Types the value of a condition, finds where it looks, and lets it reach through links. */
export async function checkCondition(condition: Condition, scope: QueryScope): Promise<CheckedFilter> {
  const { parameter, operator, value } = condition;
  const texts = operator === 'in' || operator === 'notin' ? splitList(parameter, value) : [value];
  return checkOperands(
    condition,
    texts.map((text) => ({ text })),
    scope,
  );
}

/** The same for operands that are known already. */
export async function checkOperands(
  { parameter, path, operator, isText, value }: Condition,
  operands: readonly Operand[],
  scope: QueryScope,
): Promise<CheckedFilter> {
  const [operand = { text: value }] = operands;
  const reach = (test: TestFor) =>
    reachTo(parameter, path, scope, (target) => {
      scope.cost.addValues(Math.max(1, operands.length));
      return test(target);
    });
  switch (operator) {
    case 'eq':
    case 'in':
      return reach((target) => equals(parameter, target, operands));
    case 'ne':
    case 'notin':
      return not(await reach((target) => equals(parameter, target, operands)));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return reach((target) => compare(parameter, target, operator, isText ? asText(operand) : operand));
    case 'contains':
    case 'startswith':
    case 'endswith':
      return reach((target) => search(parameter, target, operator, operand));
    case 'isnull': {
      if (value !== 'true' && value !== 'false')
        throw new QueryError(parameter, '__isnull must be true or false.');
      // "Is there a value?" is what can be asked of several linked records at once.
      const hasValue = await reach((target) => not({ kind: 'test', target, test: { kind: 'isnull' } }));
      return value === 'true' ? not(hasValue) : hasValue;
    }
  }
}

/** Links that one condition follows. @limit invalid_query */
const maxLinks = 5;

type TestFor = (target: Target) => CheckedFilter;

function not(of: CheckedFilter): CheckedFilter {
  return { kind: 'not', of };
}

/** The test on the field itself, or on that field of any linked record the caller may read. */
async function reachTo(
  parameter: string,
  path: Path,
  scope: QueryScope,
  test: TestFor,
  links = 0,
): Promise<CheckedFilter> {
  if (links > maxLinks) throw new QueryError(parameter, `A condition can follow at most ${maxLinks} links.`);
  const target = scope.targetOf(path);
  const link = resolveLink(path, scope);
  if (target === 'not readable' || link === 'not readable') throw fieldNotReadable(parameter);
  if (!link) {
    if (target !== 'no such field') return test(target);
    // One document whose field happens to link there must not forbid the path for all the others.
    if (links > 0) return nothing;
    throw new QueryError(parameter, 'There is no such field.');
  }
  const reached = await Promise.all(
    link.fields.flatMap(({ path: field, tried, collections }) =>
      collections.map(async (collection) => {
        scope.cost.addLink();
        const next = await scope.linked(collection);
        if (!next || next.isClosed) return next && 'closed';
        const where = await reachTo(parameter, link.rest, next.scope, test, links + 1);
        return linkedTo(scope, { field, tried }, next.table, { kind: 'and', of: [next.readable, where] });
      }),
    ),
  );
  const found = reached.filter((part) => part !== undefined);
  if (found.length > 0 && found.every((part) => part === 'closed')) throw fieldNotReadable(parameter);
  const direct = target === 'no such field' ? [] : [within(test(target), parentOf(path, link.rest, scope))];
  return { kind: 'or', of: [...direct, ...found.filter((part) => part !== 'closed')] };
}

/** The place where a link was looked for: an object in it may have the rest of the path itself. */
function parentOf(path: Path, rest: Path, scope: QueryScope): JsonTarget | undefined {
  const parent = scope.targetOf(path.slice(0, path.length - rest.length));
  return typeof parent === 'object' && parent.kind === 'json' ? parent : undefined;
}

function within(filter: CheckedFilter, parent: JsonTarget | undefined): CheckedFilter {
  return filter.kind === 'test' && parent ? { ...filter, within: parent } : filter;
}

/** Some record of the collection that a field links to passes, and the fields that are tried before it are absent. */
function linkedTo(
  scope: QueryScope,
  { field, tried }: { field: Path; tried: readonly Path[] },
  table: LinkedTable,
  where: CheckedFilter,
): CheckedFilter {
  const target = scope.targetOf(field);
  if (typeof target !== 'object' || target.kind !== 'json') return nothing;
  const absent = tried.map((name): CheckedFilter => {
    const before = scope.targetOf(name);
    return typeof before === 'object' ? { kind: 'test', target: before, test: { kind: 'absent' } } : nothing;
  });
  return { kind: 'and', of: [...absent, { kind: 'linked', target, table, where }] };
}

function equals(parameter: string, target: Target, operands: readonly Operand[]): CheckedFilter {
  const candidates = isTime(target)
    ? operands
        .map((operand) => instantOf(parameter, operand))
        .filter(({ isExact }) => isExact)
        .map(({ ms }) => ms)
    : operands.flatMap((operand) => ('text' in operand ? candidatesOf(operand.text) : [operand.value]));
  return { kind: 'test', target, test: { kind: 'equals', candidates } };
}

function compare(parameter: string, target: Target, comparison: Comparison, operand: Operand): CheckedFilter {
  if (isTime(target))
    return { kind: 'test', target, test: compareMoment(comparison, instantOf(parameter, operand)) };
  const to = 'text' in operand ? (readNumber(operand.text) ?? operand.text) : operand.value;
  if (typeof to === 'boolean') return nothing;
  return { kind: 'test', target, test: { kind: 'compare', comparison, to } };
}

/** The operand as it is written, whatever else it could be read as. */
function asText(operand: Operand): Operand {
  return 'text' in operand ? { value: operand.text } : operand;
}

function search(
  parameter: string,
  target: Target,
  kind: 'contains' | 'startswith' | 'endswith',
  operand: Operand,
): CheckedFilter {
  if (isTime(target)) {
    throw new QueryError(
      parameter,
      'A timestamp can only be compared with =, __gt, __gte, __lt, __lte, __in and their negations.',
    );
  }
  const folded = fold('text' in operand ? operand.text : String(operand.value));
  if (kind !== 'contains') return { kind: 'test', target, test: { kind, folded } };
  const candidates = 'text' in operand ? candidatesOf(operand.text) : [operand.value];
  return { kind: 'test', target, test: { kind, folded, candidates } };
}

function instantOf(parameter: string, operand: Operand): Instant {
  const instant = readInstant('text' in operand ? operand.text : String(operand.value));
  if (!instant) {
    throw new QueryError(parameter, 'Write a timestamp as ISO 8601: 2026-01-31 or 2026-01-31T12:00:00.000Z.');
  }
  return instant;
}

/** Past a whole millisecond but short of the next, "at or after" and "after" are both "after that millisecond". */
function compareMoment(comparison: Comparison, { ms, isExact }: Instant): Test {
  if (isExact) return { kind: 'compare', comparison, to: ms };
  return { kind: 'compare', comparison: comparison === 'gt' || comparison === 'gte' ? 'gt' : 'lte', to: ms };
}
