import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: GuardedClient;
let neighbours: Neighbours;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

interface Row {
  n: number;
  v?: unknown;
}

async function filled(values: readonly unknown[]): Promise<{ path: string; rows: Row[] }> {
  const { path } = await newCollection(api);
  const rows = values.map((v, n) => (v === undefined ? { n } : { n, v }));
  expect((await api.post(`${path}/batch`, { documents: rows })).status).toBe(201);
  return { path, rows };
}

async function found(path: string, query: string): Promise<number[]> {
  const { status, body } = await api.get(`${path}?${query}&limit=100&orderBy=n`);
  expect(status, query).toBe(200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ n }: Row) => n);
}

const numbersOf = (rows: readonly Row[], isMatch: (value: unknown) => boolean) =>
  rows.filter(({ v }) => isMatch(v)).map(({ n }) => n);

const piece = fc.constantFrom(
  '%',
  '_',
  '\\',
  'a',
  'A',
  'ab',
  "'",
  '"',
  '*',
  '?',
  '.',
  '(',
  '[',
  '^',
  '$',
  '\\%',
  '\\_',
  ' ',
  '\n',
  'Σ',
  'ς',
  '😀',
);
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const folded = (value: string) => value.toLowerCase().replaceAll('ς', 'σ');

test('Q3: %, _ and \\ are literal in contains, startswith and endswith', async () => {
  const corpus = ['%', '_', '\\', 'a%b', 'a_b', 'a\\b', 'axb', 'ab\\', '\\%', '100%', '', 'A%B', '%%', '__'];
  const { path, rows } = await filled([
    ...corpus,
    ...fc.sample(text, { numRuns: 60, seed: 11 }),
    5,
    null,
    ['%'],
    { a: '%' },
  ]);
  const tests: Record<string, (value: string, needle: string) => boolean> = {
    contains: (value, needle) => value.includes(needle),
    startswith: (value, needle) => value.startsWith(needle),
    endswith: (value, needle) => value.endsWith(needle),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(tests)),
      fc.oneof(text, fc.constantFrom(...corpus)),
      async (operator, needle) => {
        const expected = numbersOf(rows, (value) => {
          if (Array.isArray(value))
            return operator === 'contains' && value.some((one) => folded(one) === folded(needle));
          return typeof value === 'string' && tests[operator]!(folded(value), folded(needle));
        });
        expect(await found(path, `v__${operator}=${encodeURIComponent(needle)}`)).toEqual(expected);
      },
    ),
    { numRuns: 120 },
  );
});

test('Q3: a backslash or a quote at the end of a value is that character, under every operator', async () => {
  const values = ['a\\', "a'", 'a"', 'a', 'a,b', 'a\\,b', '\\'];
  const { path, rows } = await filled(values);
  for (const value of values) {
    const sent = encodeURIComponent(value);
    expect(await found(path, `v=${sent}`)).toEqual(numbersOf(rows, (v) => v === value));
    expect(await found(path, `v__ne=${sent}`)).toEqual(numbersOf(rows, (v) => v !== value));
    expect(await found(path, `v__gt=${sent}`)).toEqual(numbersOf(rows, (v) => (v as string) > value));
    const inList = encodeURIComponent(value.replaceAll(',', '\\,'));
    if (!value.includes('\\,')) {
      expect(await found(path, `v__in=none,${inList}`)).toEqual(numbersOf(rows, (v) => v === value));
      expect(await found(path, `v__notin=${inList}`)).toEqual(numbersOf(rows, (v) => v !== value));
    }
  }
});

const mixed: unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  5,
  6,
  -1.5,
  1e300,
  'abc',
  '5',
  '6',
  '',
  '1e1',
  'NaN',
  'true',
  '2026-01-31',
  [],
  [6],
  ['abc', 5],
  [[6]],
  {},
  { gt: 6 },
];

const isNumber = (sent: string) =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(sent) && Number.isFinite(Number(sent));

/** What §6 of the contract says of one stored value, in plain JavaScript. */
function isMatch(operator: string, stored: unknown, sent: string): boolean {
  const equals = (value: unknown) =>
    value === sent ||
    (isNumber(sent) && value === Number(sent)) ||
    (typeof value === 'boolean' && String(value) === sent);
  const equal = Array.isArray(stored) ? stored.some(equals) : equals(stored);
  if (operator === '') return equal;
  if (operator === '__ne') return !equal;
  const [a, b] = isNumber(sent) ? [stored, Number(sent)] : [stored, sent];
  if (typeof a !== typeof b) return false;
  const [left, right] = [a as string, b as string];
  if (operator === '__gt') return left > right;
  if (operator === '__gte') return left >= right;
  return operator === '__lt' ? left < right : left <= right;
}

test('Q4: values of other types are not matched and break nothing', async () => {
  const { path, rows } = await filled(mixed);
  const sent = [
    '5',
    '5.0',
    '-2',
    '1e1',
    '1e400',
    '01',
    '+5',
    ' 5',
    '0x5',
    'abc',
    '',
    'NaN',
    'Infinity',
    'null',
    'true',
    'false',
    '{}',
    '[]',
    '[6]',
    '2026-01-31',
    '2026-02-30',
    'undefined',
  ];
  for (const operator of ['', '__ne', '__gt', '__gte', '__lt', '__lte']) {
    for (const value of sent) {
      const expected = numbersOf(rows, (stored) => isMatch(operator, stored, value));
      expect(await found(path, `v${operator}=${encodeURIComponent(value)}`), `v${operator}=${value}`).toEqual(
        expected,
      );
    }
  }
});

test('Q4: text operators, null checks and deeper paths pass over other types too', async () => {
  const { path, rows } = await filled(mixed);
  expect(await found(path, 'v__isnull=true')).toEqual([0, 1]);
  expect(await found(path, 'v__isnull=false')).toEqual(rows.slice(2).map(({ n }) => n));
  expect(await found(path, 'v__startswith=a')).toEqual(numbersOf(rows, (v) => v === 'abc'));
  expect(await found(path, 'v__contains=6')).toEqual(
    numbersOf(rows, (v) => v === '6' || v === '2026-01-31' || JSON.stringify(v) === '[6]'),
  );
  expect(await found(path, 'v.gt=6')).toEqual([rows.length - 1]);
  expect(await found(path, 'v.0=6')).toEqual([]);
  expect(await found(path, 'v.gt.deeper__isnull=false')).toEqual([]);
});

test.each([
  '',
  'yesterday',
  '5',
  '2026-13-01',
  '2026-02-30',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '99999-01-01',
  '-000001-01-01',
  '2026-01-01;',
])('Q4: the time %j is refused, in every comparison', async (time) => {
  const { path } = await filled([1]);
  for (const field of ['createdAt', 'updatedAt']) {
    for (const operator of ['', '__ne', '__gt', '__lte', '__in', '__notin']) {
      const { status, body } = await api.get(`${path}?${field}${operator}=${encodeURIComponent(time)}`);
      expect({ status, body }, `${field}${operator}`).toFailWith(400, 'invalid_query');
    }
  }
});

test.each(['0000-01-01', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999999999Z'])(
  'Q4: the time %s, beyond all ids, compares as it should',
  async (time) => {
    const { path } = await filled([1, 2]);
    const isPast = time < '2';
    for (const field of ['createdAt', 'updatedAt']) {
      expect(await found(path, `${field}__gt=${time}`)).toHaveLength(isPast ? 2 : 0);
      expect(await found(path, `${field}__lte=${time}`)).toHaveLength(isPast ? 0 : 2);
      expect(await found(path, `${field}=${time}`)).toHaveLength(0);
      expect(await found(path, `${field}__ne=${time}`)).toHaveLength(2);
    }
  },
);
