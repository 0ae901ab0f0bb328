// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkList, checkPages } from '../../support/indexes/one-meaning.ts';
import { TwinStage } from '../../support/indexes/twins.ts';

let stage: TwinStage;
beforeAll(async () => {
  stage = await TwinStage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

const wide = '😀';
const long: Record<string, unknown>[] = [
  { a: 'x'.repeat(10_000), b: 'x'.repeat(10_000), c: 'x'.repeat(10_000), d: 'x'.repeat(10_000) },
  { a: 'y'.repeat(100_000), b: 'é'.repeat(100_000), c: 'y'.repeat(100_000), d: 'y' },
  { a: wide.repeat(1000), b: wide.repeat(1000), c: wide.repeat(1000), d: wide.repeat(1000) },
  { a: `${wide.repeat(127)}a`, b: `${wide.repeat(128)}b`, c: `${wide.repeat(129)}c`, d: wide.repeat(200) },
  { a: '"'.repeat(1000), b: '\\'.repeat(1000), c: '\u0001'.repeat(1000), d: '\n'.repeat(1000) },
  { a: '1'.repeat(1000), b: 1e308, c: -1e308, d: 5e-324 },
  {
    a: randomLetters(50_000),
    b: randomLetters(50_000),
    c: randomLetters(50_000),
    d: randomLetters(50_000),
  },
  { a: null, b: [], c: {}, d: true },
];

/** Text that does not compress. */
function randomLetters(length: number): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x1_0000 + (state % 0x1_0000));
  }).join('');
}

const elements: Record<string, unknown>[] = [
  { list: Array.from({ length: 10_000 }, (_, n) => `Element ${n}`) },
  { list: Array.from({ length: 10_000 }, (_, n) => n * 1.5) },
  { list: Array.from({ length: 2000 }, (_, n) => [n, `${n}`, null, true, { n }, [n]][n % 6]) },
  { list: [wide.repeat(5000), 'x'.repeat(50_000), ''] },
  { list: nested(30) },
  { list: { deep: nested(29), ...Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n])) } },
  { list: 'Element 9999' },
];

function nested(depth: number): unknown {
  return depth === 0 ? 'Element 77' : depth % 2 === 0 ? [nested(depth - 1)] : { deep: nested(depth - 1) };
}

const raw = (body: unknown) => ({ raw: JSON.stringify(body) });

describe('D9: what is long or large can be stored under indexes, before and after they are built', () => {
  test('strings of 10 KB and 100 KB, and 4 of 1,000 four-byte characters, in an index of four fields', async () => {
    const twins = await stage.load('long', [...long, ...long]);
    await stage.move('long');
    await stage.build('long', [
      { kind: 'sort', fields: ['a', '-b', 'c', '-d'] },
      { kind: 'sort', fields: ['-d'] },
      { kind: 'search', fields: ['a'] },
      { kind: 'search', fields: ['b'] },
      { kind: 'statistics', fields: ['c'] },
    ]);
    for (const queryString of [
      'orderBy=a,b,c,d&order=asc,desc,asc,desc',
      'orderBy=a,b,c,d&order=desc,asc,desc,asc',
      'orderBy=d&order=desc',
      `a__startswith=${'x'.repeat(200)}&orderBy=d`,
      `a__contains=${'Y'.repeat(500)}`,
      `b__gt=${'x'.repeat(129)}&orderBy=a`,
      `a=${encodeURIComponent(`${wide.repeat(127)}a`)}&orderBy=b&order=desc`,
      `a__in=${'1'.repeat(1000)},x`,
      'c__isnull=false&orderBy=c',
    ]) {
      for (const prefer of ['', 'count=none']) {
        const asked = { queryString: `${queryString}&select=id`, prefer };
        await checkList(stage, twins, asked);
        await checkPages(stage, twins, { ...asked, limit: 2, isAlternating: false });
      }
    }
    for (const body of long) {
      const created = await stage.indexed.post('/collections/long', undefined, raw(body));
      expect(created.status).toBe(201);
      const at = `/collections/long/${created.body.data.id}`;
      expect((await stage.indexed.get(at)).body.data).toMatchObject(body);
      expect((await stage.indexed.patch(at, { d: 'z'.repeat(60_000) })).status).toBe(200);
      expect((await stage.indexed.put(at, undefined, raw(body))).status).toBe(200);
      expect((await stage.indexed.delete(at)).status).toBe(200);
    }
    const documents = long.slice(0, 6);
    expect((await stage.indexed.post('/collections/long/batch', undefined, raw({ documents }))).status).toBe(
      201,
    );
  });

  test('arrays of 10,000 elements and deep objects in a search index and a sort index', async () => {
    const twins = await stage.load('elements', [...elements, { list: null }, {}]);
    await stage.move('elements');
    await stage.build('elements', [
      { kind: 'search', fields: ['list'] },
      { kind: 'sort', fields: ['list'] },
      { kind: 'search', fields: ['list.deep'] },
      { kind: 'sort', fields: [`list${'.deep'.repeat(31)}`] },
    ]);
    for (const queryString of [
      'list__contains=ELEMENT+9999',
      'list__contains=element',
      'list=Element+77',
      'list=14998.5',
      'list__contains=1.49985e4',
      `list__contains=${encodeURIComponent(wide.repeat(500))}`,
      'list__startswith=elem&orderBy=list',
      'list.deep__isnull=false',
      'orderBy=list&order=desc',
      'list__contains=',
    ]) {
      for (const prefer of ['', 'count=none'])
        await checkList(stage, twins, { queryString: `${queryString}&limit=100`, prefer });
    }
    for (const body of elements) {
      const created = await stage.indexed.post('/collections/elements', undefined, raw(body));
      expect(created.status).toBe(201);
      const at = `/collections/elements/${created.body.data.id}`;
      expect((await stage.indexed.patch(at, { list: [1] })).status).toBe(200);
      expect((await stage.indexed.delete(at)).status).toBe(200);
    }
  });
});

test('Q6: lists of values in every field of an index are answered without trying all their combinations', async () => {
  const bodies = Array.from({ length: 20 }, (_, n) => ({ a: n % 3, b: n % 4, c: `${n % 5}`, d: [n, n + 1] }));
  const twins = await stage.load('combined', bodies);
  await stage.move('combined');
  await stage.build('combined', [{ kind: 'sort', fields: ['a', 'b', 'c', 'd'] }]);
  const list = Array.from({ length: 300 }, (_, n) => n).join(',');
  // Tried one by one, they would be at it until the statement is given up.
  for (const prefer of ['', 'count=none'])
    await checkList(stage, twins, {
      queryString: `${['a', 'b', 'c', 'd'].map((name) => `${name}__in=${list}`).join('&')}&limit=100`,
      prefer,
    });
});
