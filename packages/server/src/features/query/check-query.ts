import {
  type Condition,
  type Filter,
  type Path,
  parsePage,
  parseQuery,
  type Query,
  QueryError,
  splitList,
} from '@plinth/protocol';
import type {
  CheckedFilter,
  CheckedQuery,
  CheckedSort,
  Comparison,
  SystemField,
  Target,
  Test,
} from './checked-query.ts';
import { invalidQuery } from './errors.ts';
import { type Instant, readInstant } from './instants.ts';
import { candidatesOf, fold, readNumber } from './scalars.ts';

/** Reads and checks the query string of a list: what comes back can be compiled or matched without failing. */
export function readQuery(queryString: string): CheckedQuery {
  return refusing(() => checkQuery(parseQuery(queryString)));
}

/** Reads limit and offset of a list that takes nothing else. */
export function readPage(queryString: string, limits: { defaultLimit: number; maxLimit: number }) {
  return refusing(() => parsePage(queryString, limits));
}

function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof QueryError) throw invalidQuery(error.parameter, error.message);
    throw error;
  }
}

function checkQuery(query: Query): CheckedQuery {
  if (query.populate.length > 0) throw new QueryError('populate', 'Population is not available yet.');
  return {
    filter: checkFilter(query.filter),
    sort: checkSort(query),
    limit: query.limit,
    offset: query.offset,
    ...(query.cursor !== undefined && { cursor: query.cursor }),
    ...(query.select && { select: query.select }),
  };
}

function checkFilter(filter: Filter): CheckedFilter {
  if (filter.kind === 'condition') return checkCondition(filter);
  return { kind: filter.kind, of: filter.of.map(checkFilter) };
}

function checkSort({ sort }: Query): CheckedSort[] {
  const fields: CheckedSort[] = sort.map(({ path, descending }) => ({
    target: targetOf('orderBy', path),
    descending,
  }));
  const atId = fields.findIndex(({ target }) => target.kind === 'system' && target.field === 'id');
  const kept = atId === -1 ? fields : fields.slice(0, atId);
  const descending = fields[atId === -1 ? 0 : atId]?.descending ?? true;
  // The time of creation begins the id: just before it, in the same direction, it decides nothing of its own.
  while (isCreation(kept.at(-1)) && kept.at(-1)!.descending === descending) kept.pop();
  return [...kept, { target: { kind: 'system', field: 'id' }, descending }];
}

function isCreation(field: CheckedSort | undefined): boolean {
  return field?.target.kind === 'system' && field.target.field === 'createdAt';
}

const systemFields = new Set(['id', 'createdAt', 'updatedAt']);

function targetOf(parameter: string, path: Path): Target {
  const [first = ''] = path;
  if (!systemFields.has(first)) return { kind: 'data', path };
  if (path.length > 1) throw new QueryError(parameter, `"${first}" has no fields of its own.`);
  return { kind: 'system', field: first as SystemField };
}

function checkCondition({ parameter, path, operator, value }: Condition): CheckedFilter {
  const target = targetOf(parameter, path);
  const isTime = target.kind === 'system' && target.field !== 'id';
  const test = (of: Test): CheckedFilter => ({ kind: 'test', target, test: of });
  switch (operator) {
    case 'eq':
    case 'ne': {
      const equal = isTime
        ? momentIs(target, parameter, [value])
        : test({ kind: 'equals', candidates: candidatesOf(value) });
      return operator === 'eq' ? equal : { kind: 'not', of: equal };
    }
    case 'in':
    case 'notin': {
      const values = splitList(parameter, value);
      const equal = isTime
        ? momentIs(target, parameter, values)
        : test({ kind: 'equals', candidates: values.flatMap(candidatesOf) });
      return operator === 'in' ? equal : { kind: 'not', of: equal };
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (isTime) return test(compareMoment(operator, instantOf(parameter, value)));
      return test({ kind: 'compare', comparison: operator, to: readNumber(value) ?? value });
    case 'contains':
    case 'startswith':
    case 'endswith':
      if (isTime)
        throw new QueryError(
          parameter,
          'A time compares with =, __gt, __gte, __lt, __lte, __in and their negations.',
        );
      if (operator === 'contains')
        return test({ kind: 'contains', folded: fold(value), candidates: candidatesOf(value) });
      return test({ kind: operator, folded: fold(value) });
    case 'isnull': {
      if (value !== 'true' && value !== 'false')
        throw new QueryError(parameter, '__isnull takes true or false.');
      const isNull = test({ kind: 'isnull' });
      return value === 'true' ? isNull : { kind: 'not', of: isNull };
    }
  }
}

function instantOf(parameter: string, text: string): Instant {
  const instant = readInstant(text);
  if (!instant) {
    throw new QueryError(parameter, 'A time is written as ISO 8601: 2026-01-31 or 2026-01-31T12:00:00.000Z.');
  }
  return instant;
}

/** Stored times are whole milliseconds: one that is finer equals none of them. */
function momentIs(target: Target, parameter: string, texts: readonly string[]): CheckedFilter {
  const moments = texts.map((text) => instantOf(parameter, text)).filter((instant) => instant.isExact);
  return { kind: 'test', target, test: { kind: 'equals', candidates: moments.map(({ ms }) => ms) } };
}

/** Past a whole millisecond but short of the next, "at or after" and "after" are both "after that millisecond". */
function compareMoment(comparison: Comparison, { ms, isExact }: Instant): Test {
  if (isExact) return { kind: 'compare', comparison, to: ms };
  return { kind: 'compare', comparison: comparison === 'gt' || comparison === 'gte' ? 'gt' : 'lte', to: ms };
}
