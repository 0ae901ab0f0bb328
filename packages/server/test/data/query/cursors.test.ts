// @tables own moving
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { page } from '../../support/query/paging.ts';
import { loadDocuments, seed } from '../../support/query/rounds.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
beforeAll(async () => {
  const bodies = Array.from({ length: 6 }, (_, at) => ({
    a: at % 2,
    b: at % 3,
    'a desc': at,
    ':updatedAt': at,
    'a\nb': at,
    long: 'x'.repeat(120) + at,
  }));
  await loadDocuments(t.api, 'c', bodies);
});

const orders = [
  '',
  'order=asc',
  'orderBy=a',
  'orderBy=a&order=desc',
  'orderBy=b',
  'orderBy=a,b',
  'orderBy=b,a',
  'orderBy=a,b&order=asc,desc',
  'orderBy=-a,-b,long',
  'orderBy=-b,a&order=desc',
  'orderBy=a,id&order=asc,desc',
  'orderBy=a,updatedAt',
  'orderBy=a,createdAt&order=asc,desc',
  'orderBy=updatedAt',
  'orderBy=updatedAt&order=desc',
  'orderBy=long',
  'orderBy=a.b',
  'orderBy=a%5C.b',
  // Names that, run together, could be taken for another order.
  'orderBy=field:a%20desc,id&order=asc,desc',
  'orderBy=:updatedAt',
  'orderBy=field:a%0Ab',
];

const cursorOf = async (order: string): Promise<string> =>
  (await page(t.api, 'c', order, 'limit=2')).body.nextCursor;

async function expectRefused(order: string, cursor: string): Promise<void> {
  const { status, body, text } = await t.api.get(
    `/collections/c?${order}&cursor=${encodeURIComponent(cursor)}`,
  );
  expect(status, `${Buffer.from(cursor, 'base64url').toString()} for ${order}: ${text.slice(0, 200)}`).toBe(
    400,
  );
  expect(body.error.code).toBe('invalid_query');
  expect(body.error.details).toEqual({ parameter: 'cursor' });
}

test.each(orders)('the cursor of "%s" is refused for every other order', async (order) => {
  const cursor = await cursorOf(order);
  for (const other of orders) if (other !== order) await expectRefused(other, cursor);
  await page(t.api, 'c', order, `cursor=${cursor}`);
});

test('a cursor and an offset together are refused', async () => {
  const { status, body } = await t.api.get(`/collections/c?offset=1&cursor=${await cursorOf('')}`);
  expect({ status, body }).toFailWith(400, 'invalid_query');
});

test('random text is no cursor', async () => {
  const bytes = fc.uint8Array({ maxLength: 80 }).map((some) => Buffer.from(some).toString('base64url'));
  const json = fc.json().map((text) => Buffer.from(text).toString('base64url'));
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((some) => !some.includes('\0'));
  await fc.assert(fc.asyncProperty(fc.constantFrom(...orders), fc.oneof(bytes, json, text), expectRefused), {
    seed,
    numRuns: 200,
  });
});

test('a cursor that was cut short is refused', async () => {
  for (const order of ['', 'orderBy=a', 'orderBy=long,updatedAt']) {
    const cursor = await cursorOf(order);
    for (let length = 0; length < cursor.length; length += 1)
      await expectRefused(order, cursor.slice(0, length));
  }
});

/** The content of a cursor, changed. */
const changed = (cursor: string, change: (content: unknown[]) => unknown): string =>
  Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(cursor, 'base64url').toString())))).toString(
    'base64url',
  );

const wrongIds: unknown[] = [null, 5, '', 'x', [], {}, '00000000-0000-0000-0000-000000000000', "' OR 1=1 --"];
const wrongTimes: unknown[] = [null, '5', 1.5, 1e300, true, [], {}, { cut: 'x' }, '2026-01-01', 2 ** 53];
const wrongValues: unknown[] = [
  [1],
  { cut: 5 },
  { cut: null },
  { x: 1 },
  'a\0',
  { cut: 'a\0' },
  '\ud800',
  { cut: '\ud800' },
];

test.each([
  ['an id', 'orderBy=a', wrongIds, 1],
  ['a time of change', 'orderBy=updatedAt', wrongTimes, 2],
  ['a time of creation', 'orderBy=createdAt,a&order=asc,desc', wrongTimes, 2],
  ['a value', 'orderBy=a', wrongValues, 2],
])('a cursor with something else in the place of %s is refused', async (_, order, wrong, at) => {
  const cursor = await cursorOf(order);
  for (const value of wrong) {
    await expectRefused(
      order,
      changed(cursor, (content) => content.with(at, value)),
    );
  }
});

test('a cursor with a number that is not finite is refused', async () => {
  const cursor = Buffer.from(await cursorOf('orderBy=a'), 'base64url').toString();
  const infinite = Buffer.from(cursor.replace(/,\d+\]$/, ',1e400]')).toString('base64url');
  await expectRefused('orderBy=a', infinite);
});

test('a cursor with a value too many, too few, or of another shape is refused', async () => {
  const cursor = await cursorOf('orderBy=a');
  for (const change of [
    (content: unknown[]) => [...content, 1],
    (content: unknown[]) => content.slice(0, -1),
    (content: unknown[]) => content.toReversed(),
    (content: unknown[]) => Object.assign({}, content),
    () => [],
    () => null,
    () => 'x',
  ]) {
    await expectRefused('orderBy=a', changed(cursor, change));
  }
});

test('a cursor with any scalar in it is a position or refused, never a fault', async () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.jsonValue(),
  );
  const cursor = await cursorOf('orderBy=a,long');
  await fc.assert(
    fc.asyncProperty(scalar, scalar, async (a, long) => {
      const sent = changed(cursor, (content) => [...content.slice(0, 2), a, long]);
      const { status, text } = await t.api.get(`/collections/c?orderBy=a,long&cursor=${sent}`);
      expect([200, 400], text).toContain(status);
    }),
    { seed, numRuns: 200 },
  );
});
