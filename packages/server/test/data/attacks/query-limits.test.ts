// @postgres newest
import { afterEach, beforeAll, expect, test } from 'vitest';
import { failureCode, rawGet } from '../../support/calls/raw-call.ts';
import { workTime } from '../../support/calls/work-time.ts';
import {
  addNeighbours,
  expectSafe,
  GuardedClient,
  type Neighbours,
} from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

/** A list that takes longer than this is refused. */
const t = useTestApp({ QUERY_TIMEOUT_MS: '10000' });
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  posts = await newCollection(api);
  const documents = Array.from({ length: 500 }, (_, n) => ({
    n,
    text: `text ${n} ${'lorem ipsum '.repeat(5)}`,
  }));
  await api.post(`${posts.path}/batch`, { documents });
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

const refused = [
  '-1',
  'NaN',
  '',
  ' 1',
  '1 ',
  '+1',
  '1.5',
  '1e2',
  '0x10',
  'null',
  'Infinity',
  '9223372036854775808',
  '18446744073709551616',
  '1'.repeat(400),
  '１',
  '1,2',
  '1;',
];

test.each([...refused, '100001', '9007199254740993'])('Q5: offset=%j is 400', async (value) => {
  const { status, body } = await api.get(`${posts.path}?offset=${encodeURIComponent(value)}`);
  expect([status, body.error.code, body.error.details.parameter]).toEqual([400, 'invalid_query', 'offset']);
});

test.each([...refused, '0', '-0'])('Q5: limit=%j is 400', async (value) => {
  const { status, body } = await api.get(`${posts.path}?limit=${encodeURIComponent(value)}`);
  expect([status, body.error.code, body.error.details.parameter]).toEqual([400, 'invalid_query', 'limit']);
});

test.each([
  [1, 1],
  [100, 100],
  [101, 100],
  [5000, 100],
  [Number.MAX_SAFE_INTEGER, 100],
])('Q5: limit=%i is served as %i, and the answer says so', async (asked, served) => {
  const { body } = await api.get(`${posts.path}?limit=${asked}`);
  expect(body.limit).toBe(served);
  expect(body.data).toHaveLength(served);
});

const exact = { headers: { prefer: 'count=exact' } };

test('Q5: an offset past the end is an empty page with the same total', async () => {
  for (const offset of [500, 501, 100_000]) {
    const { status, body } = await api.get(`${posts.path}?offset=${offset}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], total: 500, offset, hasMore: false, nextCursor: null });
    expect((await api.get(`${posts.path}?offset=${offset}&n__gte=0`, exact)).body).toMatchObject({
      data: [],
      total: 500,
    });
  }
});

test('Q5: a cursor that was made up or belongs to another list is 400', async () => {
  const { nextCursor } = (await api.get(`${posts.path}?limit=1&orderBy=n`)).body;
  const [mark, id] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as [string, string];
  const forged = (...content: unknown[]) => Buffer.from(JSON.stringify(content)).toString('base64url');
  for (const cursor of [
    '',
    'x',
    'null',
    forged(),
    forged(mark),
    forged(mark, id),
    forged(mark, 'x', 1),
    forged('x', id, 1),
    forged(mark, id, 1, 2),
    forged(mark, id, '\0'),
    forged(mark, id, { cut: '\ud800' }),
    `${nextCursor.slice(0, -4)}`,
  ]) {
    expect(
      (await api.get(`${posts.path}?orderBy=n&cursor=${encodeURIComponent(cursor)}`)).status,
      cursor,
    ).toBe(400);
  }
  for (const value of [null, true, 1e308, -1, 'text', {}, { cut: 'x' }]) {
    const { status } = await api.get(`${posts.path}?orderBy=n&cursor=${forged(mark, id, value)}`);
    expect(status, JSON.stringify(value)).toBe(200);
  }
  for (const value of [[], [[[]]], { cut: 5 }, { cut: 'x', more: 1 }]) {
    const { status } = await api.get(`${posts.path}?orderBy=n&cursor=${forged(mark, id, value)}`);
    expect(status, JSON.stringify(value)).toBe(400);
  }
  expect((await api.get(`${posts.path}?orderBy=text&cursor=${nextCursor}`)).status).toBe(400);
});

const many = (count: number, piece: (n: number) => string, separator = '&') =>
  Array.from({ length: count }, (_, n) => piece(n)).join(separator);

test.each<[string, string]>([
  ['10,000 parameters', many(10_000, (n) => `a${n}=1`)],
  ['10,000 times [or]', many(10_000, () => '[or]a=1')],
  ['10,000 groups', many(10_000, (n) => `[or:g${n}]a=1`)],
  ['a list with 100,000 commas', `a__in=${','.repeat(100_000)}`],
  ['a value of 100 KB', `a=${'x'.repeat(100_000)}`],
  ['a name of 20 KB', `${'x'.repeat(20_000)}=1`],
])('Q6: %s is refused with 400, fast and without growth', async (_name, query) => {
  const rss = process.memoryUsage.rss();
  const times: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const spentMs = await workTime(async () => {
      const reply = await rawGet(t.url, t.projects[0].apiKey, `${posts.path}?${query}`);
      expectSafe(reply);
      expect(reply.status).toBe(400);
    });
    times.push(spentMs);
  }
  expect(times.toSorted((a, b) => a - b)[10]).toBeLessThan(400);
  expect(process.memoryUsage.rss() - rss).toBeLessThan(64 * 1_048_576);
});

test.each<[string, string, string]>([
  ['100 parameters', many(100, (n) => `a${n}__ne=1`), many(101, (n) => `a${n}__ne=1`)],
  ['100 in [or]', many(100, () => '[or]n__gte=0'), many(101, () => '[or]n__gte=0')],
  ['500 values in a list', `n__in=${many(500, String, ',')}`, `n__in=${many(501, String, ',')}`],
  ['8,192 bytes', `text__ne=${'x'.repeat(8183)}`, `text__ne=${'x'.repeat(8184)}`],
  ['5 sort fields', 'orderBy=a,b,c,d,e', 'orderBy=a,b,c,d,e,f'],
  ['32 parts of a path', `${many(32, () => 'a', '.')}__ne=1`, `${many(33, () => 'a', '.')}__ne=1`],
  [
    '100 fields of __or__',
    `${many(100, () => 'n', '__or__')}__gte=0`,
    `${many(101, () => 'n', '__or__')}__gte=0`,
  ],
])('Q6: the limit is %s: one more is 400', async (_name, most, tooMany) => {
  const allowed = await api.get(`${posts.path}?${most}`, exact);
  expect(allowed.status).toBe(200);
  expect(allowed.body.total).toBe(500);
  const over = await api.get(`${posts.path}?${tooMany}`);
  expect(over).toFailWith(400, 'invalid_query');
});

test.each<[string, string]>([
  ['1,000 fields in one parameter', `${many(1000, () => 'a', '__or__')}=1`],
  ['1,000 times a__or__b', many(1000, () => 'a__or__b=1')],
  ['51 times a__or__b', many(51, (n) => `a${n}__or__b${n}__contains=x`)],
  ['51 times [or]a__or__b', many(51, (n) => `[or]a${n}__or__b=x`)],
])('Q7: %s is 400', async (_name, query) => {
  const spentMs = await workTime(async () => {
    const reply = await rawGet(t.url, t.projects[0].apiKey, `${posts.path}?${query}`);
    expectSafe(reply);
    expect([reply.status, failureCode(reply)]).toEqual([400, 'invalid_query']);
  });
  expect(spentMs).toBeLessThan(3000);
});

test('Q7: the costliest query that is allowed answers soon on 100 documents', async () => {
  const { path } = await newCollection(api);
  const documents = Array.from({ length: 100 }, (_, n) => ({ n, text: 'lorem ipsum '.repeat(20) }));
  await api.post(`${path}/batch`, { documents });
  for (const query of [
    `${many(100, () => 'text', '__or__')}__contains=absent`,
    many(50, () => 'text__or__text__endswith=absent'),
    `${many(90, () => '[or]text__contains=absent')}&orderBy=text,n,a,b,c`,
    `n__in=${many(500, (n) => `x${n}`, ',')}&orderBy=text`,
  ]) {
    expect((await api.get(`${path}?${query}`)).body.total, query.slice(0, 40)).toBe(0);
  }
});
