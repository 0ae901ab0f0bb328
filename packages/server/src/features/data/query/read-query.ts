import {
  type Filter,
  type Path,
  parseConditions,
  parseQuery,
  type Query,
  QueryError,
} from '@plinth/protocol';
import { wordedAsQueryErrors } from '../../../calls/index.ts';
import { checkCondition } from './check-condition.ts';
import {
  type CheckedFilter,
  type CheckedQuery,
  type CheckedSort,
  everything,
  type Target,
} from './checked-query.ts';
import { fieldNotReadable } from './errors.ts';
import { fieldsOfRelation } from './link-names.ts';
import type { QueryScope } from './query-scope.ts';
import { resolveLink } from './resolve-link.ts';

/** Reads and checks the query string of a list: what comes back can be compiled without failing. */
export async function readQuery(queryString: string, scope: QueryScope): Promise<CheckedQuery> {
  return wordedAsQueryErrors(async () => checkQuery(parseQuery(queryString), scope));
}

/** Reads a query string that holds conditions and nothing else; an empty one lets everything pass. */
export async function readFilter(queryString: string, scope: QueryScope): Promise<CheckedFilter> {
  if (queryString === '') return everything;
  return wordedAsQueryErrors(async () => checkFilter(parseConditions(queryString), scope));
}

async function checkFilter(filter: Filter, scope: QueryScope): Promise<CheckedFilter> {
  if (filter.kind === 'condition') return checkCondition(filter, scope);
  const of = await Promise.all(filter.of.map((part) => checkFilter(part, scope)));
  return { kind: filter.kind, of };
}

async function checkQuery(query: Query, scope: QueryScope): Promise<CheckedQuery> {
  for (const path of query.select ?? []) requireReadable('select', path, scope);
  for (const [name = ''] of query.populate) {
    const fields = fieldsOfRelation(name).map((field) => scope.targetOf([...scope.linkRoot, field]));
    if (fields.includes('not readable')) throw fieldNotReadable('populate');
    const [own] = fields;
    if (typeof own === 'object' && own.kind === 'column')
      throw new QueryError('populate', `"${name}" is not a link.`);
  }
  return {
    filter: await checkFilter(query.filter, scope),
    sort: checkSort(query, scope),
    limit: query.limit,
    offset: query.offset,
    ...(query.cursor !== undefined && { cursor: query.cursor }),
    ...(query.select && { select: query.select }),
    populate: query.populate,
  };
}

function checkSort({ sort }: Query, scope: QueryScope): CheckedSort[] {
  const fields: CheckedSort[] = sort.map(({ path, descending }) => {
    const target = requireReadable('orderBy', path, scope);
    const link = resolveLink(path, scope);
    if (link === 'not readable') throw fieldNotReadable('orderBy');
    if (link) throw new QueryError('orderBy', 'A list cannot be sorted through a link.');
    return { target, descending };
  });
  const atId = fields.findIndex(({ target }) => isColumn(target, 'id'));
  const kept = atId === -1 ? fields : fields.slice(0, atId);
  const descending = fields[Math.max(atId, 0)]?.descending ?? true;
  // The time of creation begins the id: just before it, in the same direction, it decides nothing of its own.
  while (isLastCreation(kept, descending)) kept.pop();
  return [...kept, { target: { kind: 'column', column: 'id' }, descending }];
}

function isLastCreation(fields: readonly CheckedSort[], descending: boolean): boolean {
  const last = fields.at(-1);
  return last !== undefined && isColumn(last.target, 'createdAt') && last.descending === descending;
}

function isColumn(target: Target, column: 'id' | 'createdAt'): boolean {
  return target.kind === 'column' && target.column === column;
}

function requireReadable(parameter: string, path: Path, scope: QueryScope) {
  const target = scope.targetOf(path);
  if (target === 'not readable') throw fieldNotReadable(parameter);
  if (target === 'no such field') throw new QueryError(parameter, 'There is no such field.');
  return target;
}
