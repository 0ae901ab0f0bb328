/**
 * The naive oracle, first half: what the parameters of a list mean, written from the contract's text alone. It shares
 * no code with the product, and is slow and simple on purpose.
 */
export class Refusal extends Error {}

export interface AskedCondition {
  /** Undefined: on its own. Otherwise the name of its set, as written between the brackets. */
  readonly group: string | undefined;
  /** Any of these may match. */
  readonly paths: readonly string[][];
  readonly operator: string;
  readonly value: string;
}

export interface AskedList {
  readonly conditions: AskedCondition[];
  readonly order: { readonly path: string[]; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset: number;
}

const suffixes =
  'eq ne gt gte lt lte gt:text gte:text lt:text lte:text contains startswith endswith in notin isnull'.split(
    ' ',
  );
const settings = 'limit offset orderBy order populate cursor select'.split(' ');

export function readList(queryString: string): AskedList {
  const given = new Map<string, string>();
  const conditions: AskedCondition[] = [];
  const pieces = queryString.split('&').filter((piece) => piece !== '');
  if (queryString.length > 8192 || pieces.length > 100) throw new Refusal('too long');
  for (const piece of pieces) {
    const [name = '', ...rest] = piece.split('=');
    const key = decoded(name);
    const value = decoded(rest.join('='));
    if (!settings.includes(key)) conditions.push({ ...readName(key), value });
    else if (given.has(key)) throw new Refusal(`${key} twice`);
    else given.set(key, value);
  }
  return {
    conditions,
    order: readOrder(given.get('orderBy'), given.get('order')),
    limit: Math.min(whole(given.get('limit') ?? '20', 1, Number.MAX_SAFE_INTEGER), 100),
    offset: whole(given.get('offset') ?? '0', 0, 100_000),
  };
}

function decoded(text: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(text.split('+').join(' '));
  } catch {
    throw new Refusal('not percent-encoded UTF-8');
  }
  if (plain.includes('\0')) throw new Refusal('NUL');
  return plain;
}

function readName(name: string): Omit<AskedCondition, 'value'> {
  const [, label, rest = ''] = /^\[([^\]]*)\](.*)$/s.exec(name) ?? ['', undefined, name];
  if (label === undefined && name.startsWith('[')) throw new Refusal('a bracket that does not close');
  if (label !== undefined && rest.startsWith('[')) throw new Refusal('two groups');
  if (label !== undefined && !/^or(:[A-Za-z0-9_-]{1,64})?$/.test(label)) throw new Refusal('not a group');
  if (settings.includes(rest)) throw new Refusal('a setting in a group');
  return { group: label, ...(rest.startsWith('field:') ? literalName(rest.slice(6)) : plainName(rest)) };
}

/** `a__or__b__gt`: fields between `__or__`, and a known suffix on the last one. */
function plainName(text: string): Pick<AskedCondition, 'paths' | 'operator'> {
  const fields = text.split('__or__');
  const last = fields.pop()!;
  const operator = suffixes.find((suffix) => last.endsWith(`__${suffix}`));
  fields.push(operator === undefined ? last : last.slice(0, -operator.length - 2));
  if (fields.some((field) => field.includes('__'))) throw new Refusal('an operator that is not known');
  if (fields.some(looksForeign)) throw new Refusal('the language of another service');
  return { paths: fields.map(readPath), operator: nameOf(operator) };
}

/** After `field:` a suffix belongs to the name, unless the name before it could not do without `field:`. */
function literalName(text: string): Pick<AskedCondition, 'paths' | 'operator'> {
  const operator = suffixes.find((suffix) => text.endsWith(`__${suffix}`));
  const before = operator === undefined ? '' : text.slice(0, -operator.length - 2);
  const needsPrefix =
    settings.includes(before) || before.includes('__') || before.startsWith('field:') || looksForeign(before);
  return operator !== undefined && needsPrefix
    ? { paths: [readPath(before)], operator: nameOf(operator) }
    : { paths: [readPath(text)], operator: '=' };
}

const nameOf = (operator: string | undefined) =>
  operator === undefined || operator === 'eq' ? '=' : operator;

/** Blanks, brackets, `< > ! |` and a `-` in front are not in names unless `field:` says so. */
function looksForeign(name: string): boolean {
  return (
    name.startsWith('-') ||
    '( ) [ ] { } < > ! |'.split(' ').some((sign) => name.includes(sign)) ||
    /\s/.test(name)
  );
}

function readPath(text: string): string[] {
  const path = splitUnescaped(text, '.');
  if (path.includes('') || path.length > 32) throw new Refusal('an empty or too long path');
  if (path[0]!.startsWith('$')) throw new Refusal('an operator of bodies');
  if (['__proto__', 'constructor', 'prototype'].some((key) => path.includes(key)))
    throw new Refusal('no field has that name');
  if (['id', 'createdAt', 'updatedAt'].includes(path[0]!) && path.length > 1) throw new Refusal('no object');
  return path;
}

/** A backslash before the separator makes it a character like any other. */
export function splitUnescaped(text: string, separator: ',' | '.'): string[] {
  return text
    .split(separator === ',' ? /(?<!\\),/ : /(?<!\\)\./)
    .map((part) => part.split(`\\${separator}`).join(separator));
}

function readOrder(orderBy: string | undefined, order: string | undefined): AskedList['order'] {
  const directions = (order ?? 'asc').split(',').map((direction) => direction.trim().toLowerCase());
  if (directions.some((direction) => direction !== 'asc' && direction !== 'desc'))
    throw new Refusal('not a direction');
  if (orderBy === undefined) {
    if (directions.length > 1) throw new Refusal('one direction for one field');
    // Newest first, unless said otherwise.
    return [{ path: ['id'], descending: order === undefined || directions[0] === 'desc' }];
  }
  const fields = splitUnescaped(orderBy, ',').map(readSortField);
  if (fields.length > 5 || directions.length > fields.length) throw new Refusal('too many');
  return fields.map(({ path, descending }, at) => ({
    path,
    descending: descending || (directions[at] ?? directions.at(-1)) === 'desc',
  }));
}

function readSortField(text: string): { path: string[]; descending: boolean } {
  const descending = text.trimStart().startsWith('-');
  const name = descending ? text.trimStart().slice(1) : text.trimStart();
  if (name.startsWith('field:')) return { path: readPath(name.slice(6)), descending };
  if (looksForeign(name.trim()) || /:(asc|desc)$/i.test(name.trim())) throw new Refusal('not a name');
  const path = readPath(name.trim());
  if (path.slice(1).some((key) => /^[0-9]+$/.test(key))) throw new Refusal('a place in an array');
  return { path, descending };
}

function whole(text: string, from: number, to: number): number {
  if (!/^\d+$/.test(text) || Number(text) < from || Number(text) > to) throw new Refusal('out of range');
  return Number(text);
}
