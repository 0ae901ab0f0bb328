import type { Operator } from '@plinth/protocol';

type FilterScalar = string | number | boolean | Date;
export type FilterValue = FilterScalar | null | readonly FilterScalar[];

export interface Condition {
  readonly path: string;
  readonly operator: Operator;
  readonly value: FilterValue;
}

/** What a list is narrowed, sorted and cut by. Never changed: every step makes another. */
export interface QueryState {
  /** Conditions in the language of URLs. */
  readonly filters: readonly string[];
  /** How many OR groups there are. */
  readonly groups: number;
  readonly sort: readonly string[];
  readonly select: readonly string[];
  readonly populate: readonly string[];
  readonly limit?: number;
}

export const everything: QueryState = { filters: [], groups: 0, sort: [], select: [], populate: [] };

export interface PagePosition {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Names that mean something else in a URL, or look like a mistake: fields that are called so need the prefix. */
export const needsPrefix =
  /^(limit|offset|orderBy|order|populate|cursor|select)$|__|[\s()[\]{}<>!|]|^-|^field:/;
const readsAsNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** No record has an empty id. */
const nothing = 'id__in=';

interface Printing {
  /** The OR group that the condition is in. */
  readonly group?: string;
  /** A group that is not used yet. */
  readonly spare?: string;
}

/** A condition as parameters. */
export function printCondition(
  { path, operator, value }: Condition,
  { group, spare = group }: Printing = {},
): string[] {
  const isLiteral = needsPrefix.test(path);
  const print = (suffix: string, text: string, within = group) => {
    const begin = within === undefined ? '' : `[or:${within}]`;
    const end = suffix !== 'eq' || isLiteral ? `__${suffix}` : '';
    return `${encode(`${begin}${isLiteral ? 'field:' : ''}${path}${end}`)}=${encode(text)}`;
  };
  if (value === null) {
    // Equality with nothing: null or absent.
    if (operator === 'eq' || operator === 'ne') return [print('isnull', String(operator === 'eq'))];
    throw new TypeError(`${operator} does not take null. Use eq, ne or isnull.`);
  }
  if ((operator === 'in' || operator === 'notin') !== Array.isArray(value))
    throw new TypeError(`${operator} does not take ${JSON.stringify(value)}.`);
  if (!Array.isArray(value)) {
    const text = printValue(value as FilterScalar);
    const isText = typeof value === 'string' && readsAsNumber.test(value) && /^[gl]te?$/.test(operator);
    return [print(isText ? `${operator}:text` : operator, text)];
  }
  const texts = value.map(printValue);
  if (texts.length === 0) return operator === 'in' && group === undefined ? [nothing] : [];
  // In a list, blanks around a value would be left out, and a backslash at its end would join it to the next.
  if (!texts.some((text) => /^ | $|\\$/.test(text)))
    return [print(operator, texts.map((text) => text.replace(/,/g, '\\,')).join(','))];
  if (operator === 'in') return texts.map((text) => print('eq', text, spare));
  if (group === undefined) return texts.map((text) => print('ne', text));
  throw new TypeError('In `any`, notin does not accept values with leading or trailing spaces.');
}

function printValue(value: FilterScalar): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} is not a value that can be stored.`);
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Readable where URLs allow it, and the same when it is read again. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/%(5B|5D|3A|2C|40|2F)/g, decodeURIComponent)
    .replace(/%20/g, '+');
}

const printSort = (field: string) => {
  const [, sign = '', name = ''] = /^(-?)(.*)$/s.exec(field) ?? [];
  return `${sign}${needsPrefix.test(name) ? 'field:' : ''}${name.replace(/,/g, '\\,')}`;
};
const printNames = (names: readonly string[]) => names.map((name) => name.replace(/,/g, '\\,')).join(',');

/** Conditions alone: what rules and subscriptions take. */
export const printFilter = ({ filters }: QueryState): string => filters.join('&');

/** The whole query string of a list. */
export function printQuery(
  state: QueryState,
  { cursor, limit = state.limit, offset }: PagePosition = {},
): string {
  const { filters, sort, select, populate } = state;
  const settings: [string, string | number | undefined][] = [
    ['orderBy', sort.map(printSort).join(',')],
    ['select', printNames(select)],
    ['populate', printNames(populate)],
    ['limit', limit],
    ['offset', offset],
    ['cursor', cursor],
  ];
  const printed = settings.flatMap(([name, value]) => (value ? [`${name}=${encode(String(value))}`] : []));
  return [...filters, ...printed].join('&');
}

/** Adds what is written in the language of URLs: conditions, and how the list is sorted and cut. */
export function addText(state: QueryState, text: string): QueryState {
  let next = state;
  for (const piece of text.replace(/^\?/, '').split('&')) {
    if (piece === '') continue;
    const [name = '', ...rest] = piece.split('=');
    next = addPiece(next, piece, { name, text: rest.join('=') });
  }
  return next;
}

function addPiece(
  state: QueryState,
  piece: string,
  { name, text }: { name: string; text: string },
): QueryState {
  const value = decodeURIComponent(text.replace(/\+/g, ' '));
  const list = () => value.split(/(?<!\\),/).map((item) => item.trim().replace(/\\,/g, ','));
  switch (decodeURIComponent(name)) {
    case 'orderBy':
      return { ...state, sort: list().map((field) => field.replace(/^(-?)field:/, '$1')) };
    case 'select':
      return { ...state, select: [...state.select, ...list()] };
    case 'populate':
      return { ...state, populate: [...state.populate, ...list()] };
    case 'limit':
      return { ...state, limit: Number(value) };
    case 'order':
    case 'offset':
    case 'cursor':
      throw new TypeError(
        `Not supported here: ${piece}. Sort with orderBy=-name; page with a cursor or an offset.`,
      );
    default:
      return { ...state, filters: [...state.filters, piece] };
  }
}
