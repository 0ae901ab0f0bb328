import {
  type AskedCondition,
  type AskedList,
  Refusal,
  readList,
  splitUnescaped,
} from './oracle-parameters.ts';

/** A document as the service gives it. */
export interface FlatDocument {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly [field: string]: unknown;
}

/** The ids of a page in its order, or that the query is refused. */
export type Reply = readonly string[] | 'refused';

/** The naive oracle, second half: what the contract says a list of these documents is. */
export function askOracle(documents: readonly FlatDocument[], queryString: string): Reply {
  try {
    const list = readList(queryString);
    checkValues(list);
    const sorted = documents
      .filter((document) => passes(document, list.conditions))
      .toSorted((a, b) => inOrder(a, b, list.order));
    return sorted.slice(list.offset, list.offset + list.limit).map(({ id }) => id);
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

const isTime = (path: readonly string[]) => path[0] === 'createdAt' || path[0] === 'updatedAt';

/** A value that cannot be meant is refused whatever the documents are. */
function checkValues({ conditions }: AskedList): void {
  for (const { paths, operator, value } of conditions) {
    if (operator === 'isnull' && value !== 'true' && value !== 'false') throw new Refusal('not a yes or no');
    if (operator === 'isnull' || !paths.some(isTime)) continue;
    if (['contains', 'startswith', 'endswith'].includes(operator)) throw new Refusal('a time is not text');
    for (const text of listed(operator, value)) nanoseconds(text);
  }
}

function listed(operator: string, value: string): string[] {
  return operator === 'in' || operator === 'notin'
    ? splitUnescaped(value, ',').map((one) => one.replaceAll(/^ +| +$/g, ''))
    : [value];
}

function passes(document: FlatDocument, conditions: readonly AskedCondition[]): boolean {
  const holds = (condition: AskedCondition) =>
    condition.paths.some((path) => holdsAt(document, path, condition));
  const groups = new Set(conditions.map(({ group }) => group).filter((group) => group !== undefined));
  return (
    conditions.filter(({ group }) => group === undefined).every(holds) &&
    [...groups].every((name) => conditions.filter(({ group }) => group === name).some(holds))
  );
}

function holdsAt(
  document: FlatDocument,
  path: readonly string[],
  { operator, value }: AskedCondition,
): boolean {
  const stored = lookUp(document, path);
  const equal = (text: string) =>
    isTime(path) ? nanoseconds(String(stored)) === nanoseconds(text) : equals(stored, text);
  switch (operator) {
    case '=':
      return equal(value);
    case 'ne':
      return !equal(value);
    case 'in':
      return listed(operator, value).some(equal);
    case 'notin':
      return !listed(operator, value).some(equal);
    case 'isnull':
      return (stored === null || stored === undefined) === (value === 'true');
    case 'contains':
      if (Array.isArray(stored))
        return stored.some((element) => isThis(element, value) || isAlike(element, value));
      return typeof stored === 'string' && lowered(stored).includes(lowered(value));
    case 'startswith':
      return typeof stored === 'string' && lowered(stored).startsWith(lowered(value));
    case 'endswith':
      return typeof stored === 'string' && lowered(stored).endsWith(lowered(value));
    default: {
      const [name = '', kind] = operator.split(':');
      const sign = isTime(path)
        ? signOf(nanoseconds(String(stored)), nanoseconds(value))
        : compared(stored, value, kind === 'text');
      if (sign === undefined) return false;
      return { gt: sign > 0, gte: sign >= 0, lt: sign < 0, lte: sign <= 0 }[name]!;
    }
  }
}

function lookUp(from: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return from;
  if (typeof from !== 'object' || from === null || Array.isArray(from)) return undefined;
  const [key = '', ...rest] = path;
  return Object.hasOwn(from, key) ? lookUp((from as Record<string, unknown>)[key], rest) : undefined;
}

const readsAsNumber = (text: string) =>
  /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text) && Number.isFinite(Number(text));

/** An array is equal to what it has as an element; an array inside it is not looked into. */
function equals(stored: unknown, text: string): boolean {
  return Array.isArray(stored) ? stored.some((element) => isThis(element, text)) : isThis(stored, text);
}

function isThis(stored: unknown, text: string): boolean {
  if (typeof stored === 'number') return readsAsNumber(text) && stored === Number(text);
  if (typeof stored === 'boolean') return text === (stored ? 'true' : 'false');
  return stored === text;
}

function compared(stored: unknown, text: string, isText: boolean): number | undefined {
  if (readsAsNumber(text) && !isText)
    return typeof stored === 'number' ? signOf(stored, Number(text)) : undefined;
  return typeof stored === 'string' ? byCodePoint(stored, text) : undefined;
}

const signOf = <Value extends number | bigint>(a: Value, b: Value) => (a > b ? 1 : a < b ? -1 : 0);

function byCodePoint(a: string, b: string): number {
  const right = b[Symbol.iterator]();
  for (const character of a) {
    const sign = signOf(character.codePointAt(0)!, right.next().value?.codePointAt(0) ?? -1);
    if (sign !== 0) return sign;
  }
  return right.next().done ? 0 : -1;
}

/** Lower case letter by letter, so a sigma never knows that it is the last. */
const lowered = (text: string) =>
  Array.from(text, (letter) => (letter === 'ς' ? 'σ' : letter.toLowerCase())).join('');

const isAlike = (element: unknown, text: string) =>
  typeof element === 'string' && lowered(element) === lowered(text);

function nanoseconds(text: string): bigint {
  const form =
    /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([-+])(\d\d):?(\d\d)?)?)?$/;
  const parts = form.exec(text);
  if (!parts) throw new Refusal('not a time');
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((digits) => Number(digits ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) throw new Refusal('not a day');
  if (hour! > 23 || minute! > 59 || second! > 59) throw new Refusal('not a time of day');
  const minutes = hour! * 60 + minute! - zoneMinutes(parts[8], parts[9], parts[10]);
  const seconds = BigInt(date.getTime() / 1000 + minutes * 60 + second!);
  return seconds * 1_000_000_000n + BigInt((parts[7] ?? '').padEnd(9, '0'));
}

function zoneMinutes(sign: string | undefined, hours = '0', minutes = '0'): number {
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

function inOrder(a: FlatDocument, b: FlatDocument, order: AskedList['order']): number {
  const fields = [...order, { path: ['id'], descending: order[0]!.descending }];
  for (const { path, descending } of fields) {
    const sign = isTime(path)
      ? signOf(nanoseconds(String(lookUp(a, path))), nanoseconds(String(lookUp(b, path))))
      : ascending(lookUp(a, path), lookUp(b, path));
    if (sign !== 0) return descending ? -sign : sign;
  }
  return 0;
}

/** Missing and null, strings, numbers, false, true, arrays and objects. */
function ascending(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  if (typeof a === 'number' && typeof b === 'number') return signOf(a, b);
  return signOf(rank(a), rank(b));
}

function rank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'object') return 5;
  return typeof value === 'boolean' ? (value ? 4 : 3) : typeof value === 'number' ? 2 : 1;
}
