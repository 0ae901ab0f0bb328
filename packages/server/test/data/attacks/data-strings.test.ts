// @postgres newest
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { rawCall, rawGet } from '../../support/calls/raw-call.ts';
import {
  addNeighbours,
  expectSafe,
  GuardedClient,
  type Neighbours,
} from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  posts = await newCollection(api);
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** Text that often holds NUL, halves of pairs, whole pairs, and what else is odd. */
const oddText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\0',
        '\ud800',
        '\udfff',
        '\ud83d\ude00',
        '\u2028',
        '\ufeff',
        '\uffff',
        '\u0001',
        '"',
        '\\',
        'a',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(''));

test('D1, D2: text is stored exactly, or refused where it holds NUL or half a pair', async () => {
  const seen = { stored: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(oddText, oddText, fc.nat({ max: 3 }), async (text, key, place) => {
      const name = `k${key}`;
      const fields = [{ v: text }, { v: { [name]: 1 } }, { v: [[{ [name]: text }]] }, { [name]: text }][
        place
      ]!;
      const usesKey = place > 0;
      const usesText = place !== 1;
      const isGood = (!usesKey || isStorable(key)) && (!usesText || isStorable(text));
      const { status, body } = await api.post(posts.path, fields);
      if (isGood) {
        seen.stored += 1;
        expect(status).toBe(201);
        // Compared as text: see the test of escaped names for what parsing may do to them.
        const { text: answer } = await api.get(`${posts.path}/${body.data.id}`);
        if (usesKey) expect(answer).toContain(`${JSON.stringify(name)}: `);
        if (usesText) expect(answer).toContain(`: ${JSON.stringify(text)}`);
      } else {
        seen.refused += 1;
        expect({ status, body }).toFailWith(400, 'invalid_json_value');
      }
    }),
    { numRuns: 200 },
  );
  expect(seen.stored).toBeGreaterThan(30);
  expect(seen.refused).toBeGreaterThan(30);
});

test.each<[string, string]>([
  ['D1', '\0'],
  ['D1', 'a\0b'],
  ['D2', '\ud800'],
  ['D2', 'a\udc00b'],
])('%s: %j is refused wherever a body can carry it, and nothing is written', async (_row, bad) => {
  const document = await newDocument(api, posts.path, { list: ['x'], n: 1 });
  const at = `${posts.path}/${document.id}`;
  const total = (await api.get(posts.path)).body.total;
  const calls: [string, string, object][] = [
    ['POST', posts.path, { a: bad }],
    ['POST', posts.path, { a: { b: [1, { [bad]: 2 }] } }],
    ['PUT', at, { a: bad }],
    ['PUT', at, { [bad]: 1 }],
    ['PATCH', at, { a: [bad] }],
    ['PATCH', at, { $append: { list: bad } }],
    ['PATCH', at, { $append: { list: { $each: ['ok', bad] } } }],
    ['PATCH', at, { $remove: { list: bad } }],
    ['PATCH', at, { $unset: { [bad]: 1 } }],
    ['PATCH', at, { $increment: { [`n.${bad}`]: 1 } }],
    ['PATCH', at, { [`$${bad}`]: {} }],
    ['POST', `${posts.path}/batch`, { documents: [{}, { a: bad }] }],
    ['POST', `${posts.path}/batch-update`, { updates: [{ id: document.id, a: bad }] }],
    ['POST', `${posts.path}/batch-update`, { updates: [{ id: bad, a: 1 }] }],
    ['POST', `${posts.path}/batch-delete`, { ids: [bad] }],
    ['POST', '/collections', { name: bad }],
    ['PATCH', posts.path, { name: `a${bad}` }],
    ['PATCH', posts.path, { settings: { hiddenFields: [bad] } }],
    ['PATCH', posts.path, { settings: { ownerField: bad } }],
  ];
  for (const [method, path, body] of calls) {
    const reply = await api.call(method, path, body);
    expect(reply.status, `${method} ${path} ${JSON.stringify(body)}`).toBe(400);
    expect(reply).toFailWith(400, 'invalid_json_value');
  }
  expect((await api.get(at)).body.data).toEqual(document);
  expect((await api.get(posts.path)).body.total).toBe(total);
});

test.each(['%00', 'a%00b', '%ED%A0%80', '%ff', '%c0%af', '%F4%90%80%80', '%', '%u0041'])(
  'D1, D2: %s in a query or a path is refused as such',
  async (bad) => {
    const key = t.projects[0].apiKey;
    for (const query of [
      `a=${bad}`,
      `${bad}=1`,
      `orderBy=${bad}`,
      `select=${bad}`,
      `a__in=1,${bad}`,
      `[or]a=${bad}`,
    ]) {
      const reply = await rawGet(t.url, key, `${posts.path}?${query}`);
      expectSafe(reply);
      expect(reply.status, query).toBe(400);
    }
    for (const path of [`/collections/${bad}`, `${posts.path}/${bad}`]) {
      const reply = await rawGet(t.url, key, path);
      expect([400, 404]).toContain(reply.status);
      expectSafe(reply);
    }
  },
);

test('D2: a body that is not UTF-8 is refused', async () => {
  const bodies = [
    Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
    // U+D800 in three bytes, an overlong slash, and text in UTF-16.
    Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
    Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc0, 0xaf, 0x22, 0x7d]),
    Buffer.from('\ufeff{"a":"b"}', 'utf16le'),
  ];
  for (const raw of bodies) {
    const { status, body } = await api.post(posts.path, undefined, { raw });
    expect({ status, body }).toFailWith(400, 'invalid_body');
  }
});

test('D5: of a key written twice the last counts, in every check too', async () => {
  const write = (raw: string) => api.post(posts.path, undefined, { raw });
  for (const [raw, fields] of [
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"a":"\\u0000","a":1}', { a: 1 }],
    ['{"a":9007199254740993,"a":1}', { a: 1 }],
    ['{"a":{"b":1,"b":[{"c":1,"c":2}]}}', { a: { b: [{ c: 2 }] } }],
    ['{"\\u0061":1,"a":3}', { a: 3 }],
    ['{"a":1e400,"a":1e22}', { a: 1e22 }],
  ] as const) {
    const { status, body } = await write(raw);
    expect(status, raw).toBe(201);
    expect((await api.get(`${posts.path}/${body.data.id}`)).body.data).toMatchObject(fields);
  }
  for (const raw of [
    '{"a":1,"a":"\\u0000"}',
    '{"a":1,"a":9007199254740993}',
    '{"a":1,"__proto__":1,"__proto__":{}}',
  ]) {
    expect((await write(raw)).status, raw).toBe(400);
  }
  const twice = await api.post('/collections', undefined, { raw: '{"name":"__bad","name":"wanted"}' });
  expect(twice.body.data.name).toBe('wanted');
});

test('D5: a header or a length written twice is not read as two things', async () => {
  const head = `POST ${posts.path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${t.projects[0].apiKey}\r\nContent-Type: application/json\r\n`;
  const total = (await api.get(posts.path)).body.total;
  for (const rest of [
    'Content-Length: 2\r\nContent-Length: 7\r\n\r\n{}{"a":1}',
    'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  ]) {
    const reply = await rawCall(t.url, head + rest);
    expect(reply.status).toBe(400);
  }
  expect((await api.get(posts.path)).body.total).toBe(total);
});
