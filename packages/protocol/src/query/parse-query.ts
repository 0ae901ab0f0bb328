import { isUnusual, parseParameterName, reservedNames } from './parameter-name.ts';
import { parsePath, splitEscaped, splitList } from './paths.ts';
import { QueryError } from './query-error.ts';
import { queryLimits } from './query-limits.ts';
import type { Condition, Filter, Path, Query, SortField } from './syntax.ts';
import { type Parameter, tokenize } from './tokenize.ts';

/** Parses the query string of a list. Anything that is not understood is rejected, never ignored. */
export function parseQuery(queryString: string): Query {
  const parameters = tokenize(queryString);
  const settings = new Map<string, string[]>();
  const filters: Parameter[] = [];
  for (const parameter of parameters) {
    if (!reservedNames.has(parameter.name)) {
      filters.push(parameter);
      continue;
    }
    const values = settings.get(parameter.name);
    if (values) values.push(parameter.value);
    else settings.set(parameter.name, [parameter.value]);
  }

  const cursor = single(settings, 'cursor');
  const offset = wholeNumber('offset', single(settings, 'offset'), 0, queryLimits.maxOffset) ?? 0;
  if (cursor !== undefined && offset > 0) {
    throw new QueryError('offset', 'Send cursor or offset, not both.');
  }
  const limit = wholeNumber('limit', single(settings, 'limit'), 1, Number.MAX_SAFE_INTEGER);
  const select = paths(settings, 'select');
  const populate = paths(settings, 'populate');
  if (populate.length > queryLimits.populated) {
    throw new QueryError(
      'populate',
      `At most ${queryLimits.populated} links can be populated in one request.`,
    );
  }
  return {
    filter: parseFilter(filters),
    sort: parseSort(single(settings, 'orderBy'), single(settings, 'order')),
    limit: Math.min(limit ?? queryLimits.defaultLimit, queryLimits.maxLimit),
    offset,
    ...(cursor !== undefined && { cursor }),
    ...(select.length > 0 && { select }),
    populate,
  };
}

/** Parses a query string that only contains conditions: a rule. */
export function parseConditions(queryString: string): Query['filter'] {
  const parameters = tokenize(queryString);
  const setting = parameters.find(({ name }) => reservedNames.has(name));
  if (setting)
    throw new QueryError(
      setting.name,
      `Only conditions are allowed here. For a field of that name, write field:${setting.name}.`,
    );
  if (parameters.length === 0) throw new QueryError('', 'The condition is missing.');
  return parseFilter(parameters);
}

/** Parses the query string of a list with pagination, but without filters. */
export function parsePage(
  queryString: string,
  { defaultLimit = queryLimits.defaultLimit, maxLimit = queryLimits.maxLimit, also = [] }: PageOptions,
): { limit: number; offset: number; texts: Readonly<Record<string, string | undefined>> } {
  const settings = new Map<string, string[]>();
  const taken = [...also, 'limit', 'offset'];
  for (const { name, value } of tokenize(queryString)) {
    if (!taken.includes(name))
      throw new QueryError(name, `This list only accepts ${taken.slice(0, -1).join(', ')} and offset.`);
    settings.set(name, [...(settings.get(name) ?? []), value]);
  }
  const limit = wholeNumber('limit', single(settings, 'limit'), 1, Number.MAX_SAFE_INTEGER) ?? defaultLimit;
  const offset = wholeNumber('offset', single(settings, 'offset'), 0, queryLimits.maxOffset) ?? 0;
  const texts = Object.fromEntries(also.map((name) => [name, single(settings, name)]));
  return { limit: Math.min(limit, maxLimit), offset, texts };
}

/** The parameters of a list without filters. */
export interface PageOptions {
  readonly defaultLimit?: number;
  readonly maxLimit?: number;
  /** Further parameters, whose text is returned as it is. */
  readonly also?: readonly string[];
}

function parseFilter(parameters: readonly Parameter[]): Query['filter'] {
  const all: Filter[] = [];
  const groups = new Map<string, Filter[]>();
  let count = 0;
  for (const { name: parameter, value } of parameters) {
    const { group, paths: fields, ...suffix } = parseParameterName(parameter);
    count += fields.length;
    if (count > queryLimits.conditions) {
      throw new QueryError(parameter, `A query can have at most ${queryLimits.conditions} conditions.`);
    }
    const conditions = fields.map(
      (path): Condition => ({ kind: 'condition', parameter, path, ...suffix, value }),
    );
    const [first, ...others] = conditions;
    const filter: Filter = first && others.length === 0 ? first : { kind: 'or', of: conditions };
    const members = group === undefined ? all : groups.get(group);
    if (members) members.push(filter);
    else if (group !== undefined) groups.set(group, [filter]);
  }
  for (const of of groups.values()) all.push({ kind: 'or', of });
  return { kind: 'and', of: all };
}

function parseSort(orderBy: string | undefined, order: string | undefined): SortField[] {
  if (orderBy === undefined) {
    if (order === undefined) return [];
    return [{ path: ['id'], descending: isDescending(order) }];
  }
  const fields = splitEscaped(orderBy, ',').map(readSortField);
  if (fields.length > queryLimits.sortFields) {
    throw new QueryError('orderBy', `A query can sort by at most ${queryLimits.sortFields} fields.`);
  }
  const directions = order === undefined ? [] : order.split(',');
  if (directions.length > fields.length) {
    throw new QueryError('order', 'order has more directions than orderBy has fields.');
  }
  return fields.map(({ path, isMarked }, at) => {
    const direction = directions[at] ?? directions.at(-1);
    return { path, descending: (direction !== undefined && isDescending(direction)) || isMarked };
  });
}

/** `views`, `-views` for descending, and `field:-views` for a name that begins so. */
function readSortField(text: string): { path: Path; isMarked: boolean } {
  const literal = /^\s*(-?)field:(.*)$/s.exec(text);
  if (literal) return { path: parsePath('orderBy', literal[2] ?? ''), isMarked: literal[1] === '-' };
  const trimmed = text.trim();
  const isMarked = trimmed.startsWith('-');
  const name = isMarked ? trimmed.slice(1) : trimmed;
  const path = parsePath('orderBy', name);
  if (isUnusual(name) || /:(?:asc|desc)$/i.test(name)) throw new QueryError('orderBy', unusualSort(name));
  if (path.slice(1).some((key) => /^\d+$/.test(key))) {
    throw new QueryError(
      'orderBy',
      `A list cannot be sorted by an array position. For a key of that name, write field:${name}.`,
    );
  }
  return { path, isMarked };
}

function unusualSort(name: string): string {
  const [, field, direction] = /^([\w.]+)[\s:]+(asc|desc)$/i.exec(name) ?? [];
  if (field === undefined) return `For a field of that name, write field:${name}.`;
  return `Write orderBy=${direction?.toLowerCase() === 'desc' ? '-' : ''}${field}.`;
}

function isDescending(direction: string): boolean {
  const known = direction.trim().toLowerCase();
  if (known !== 'asc' && known !== 'desc') throw new QueryError('order', 'order must be asc or desc.');
  return known === 'desc';
}

function single(settings: ReadonlyMap<string, string[]>, name: string): string | undefined {
  const values = settings.get(name);
  if (values && values.length > 1) throw new QueryError(name, `${name} appears more than once.`);
  return values?.[0];
}

function paths(settings: ReadonlyMap<string, string[]>, name: string): Path[] {
  return (settings.get(name) ?? [])
    .flatMap((list) => splitList(name, list))
    .map((field) => parsePath(name, field));
}

function wholeNumber(name: string, text: string | undefined, from: number, to: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= from && value <= to)) {
    const range = to === Number.MAX_SAFE_INTEGER ? `${from} or more` : `${from} to ${to}`;
    const hint = name === 'offset' ? ' To go further, page with cursor.' : '';
    throw new QueryError(name, `${name} must be an integer, ${range}.${hint}`);
  }
  return value;
}
