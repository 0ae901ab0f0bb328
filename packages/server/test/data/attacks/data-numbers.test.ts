// @postgres newest
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { longestSilence } from '../../support/calls/longest-silence.ts';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
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

const write = (raw: string) => api.post(posts.path, undefined, { raw });

test.each([
  '1e400',
  '-1e400',
  '1e309',
  '9007199254740992',
  '9007199254740993',
  '9007199254740993e0',
  '1e17',
  '-9007199254740993',
  '123456789012345678901234567890',
  `1${'0'.repeat(400)}`,
])('D4: %s is refused anywhere in a body', async (number) => {
  const { id } = await newDocument(api, posts.path, { n: 1, l: [] });
  const at = `${posts.path}/${id}`;
  for (const reply of [
    await write(`{"a":${number}}`),
    await write(`{"a":[1,{"b":${number}}],"c":1e22}`),
    await api.put(at, undefined, { raw: `{"a":${number}}` }),
    await api.patch(at, undefined, { raw: `{"$append":{"l":${number}}}` }),
    await api.patch(at, undefined, { raw: `{"$increment":{"n":${number}}}` }),
    await api.post(`${posts.path}/batch`, undefined, { raw: `{"documents":[{},{"a":${number}}]}` }),
    await api.post(`${posts.path}/batch-update`, undefined, {
      raw: `{"updates":[{"id":"${id}","a":${number}}]}`,
    }),
  ]) {
    expect(reply).toFailWith(400, 'invalid_json_value');
  }
  expect((await api.get(at)).body.data).toMatchObject({ n: 1, l: [] });
});

test.each<[string, number]>([
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['1e21', 1e21],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['5e-324', Number.MIN_VALUE],
  ['1e-400', 0],
  ['-0', 0],
  ['0.1', 0.1],
  ['1.0', 1],
  ['0.30000000000000004', 0.1 + 0.2],
  ['1.00000000000000011102230246251565', 1],
])('D4: %s is stored as its double, and found by it', async (written, number) => {
  const { path } = await newCollection(api);
  const created = await api.post(path, undefined, { raw: `{"n":${written}}` });
  expect(created.status).toBe(201);
  expect(created.body.data.n).toBe(number);
  const read = await api.get(`${path}/${created.body.data.id}`);
  expect(read.body.data.n).toBe(number);
  expect((await api.get(`${path}?n=${written}`)).body.total).toBe(1);
  expect((await api.get(`${path}?n__gt=${written}`)).body.total).toBe(0);
});

test('D4: every double comes back as it was, from create, read, list and patch', async () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
  const { path } = await newCollection(api);
  await fc.assert(
    fc.asyncProperty(fc.array(double, { maxLength: 20 }), async (numbers) => {
      const sendable = numbers.filter(
        (n) => !Number.isInteger(n) || Number.isSafeInteger(n) || Math.abs(n) >= 1e21,
      );
      const { id, list } = await newDocument(api, path, { list: sendable });
      expect(list).toEqual(sendable);
      expect((await api.get(`${path}/${id}`)).body.data.list).toEqual(sendable);
      expect((await api.get(`${path}?limit=1`)).body.data[0].list).toEqual(sendable);
      const patched = await api.patch(`${path}/${id}`, { $append: { list: 0.1 } });
      expect(patched.body.data.list).toEqual([...sendable, 0.1]);
    }),
    { numRuns: 60 },
  );
});

test.each<[string, string, string]>([
  ['past the integers', '9007199254740991', '1'],
  ['past the negative integers', '-9007199254740991', '-1'],
  ['past the doubles', '1.7976931348623157e308', '1.7976931348623157e308'],
])('D4: $increment %s is refused and changes nothing', async (_name, from, by) => {
  const { body } = await write(`{"n":${from}}`);
  const at = `${posts.path}/${body.data.id}`;
  const reply = await api.patch(at, undefined, { raw: `{"touched":true,"$increment":{"n":${by}}}` });
  expect(reply).toFailWith(400, 'invalid_json_value');
  expect((await api.get(at)).body.data).toEqual(body.data);
});

test('D4: $increment leaves nothing that could not have been sent', async () => {
  const start = fc.constantFrom(9007199254740991, 9007199254740990, -9007199254740991, 1e15, 0.5, 1e21);
  const by = fc.constantFrom(0.5, 1.5, -0.5, 1, -1, 1e15, 9007199254740991);
  await fc.assert(
    fc.asyncProperty(start, by, async (from, operand) => {
      const { id } = await newDocument(api, posts.path, { n: from });
      const { status, body } = await api.patch(`${posts.path}/${id}`, { $increment: { n: operand } });
      expect([200, 400]).toContain(status);
      if (status === 200) expect((await api.put(`${posts.path}/${id}`, { n: body.data.n })).status).toBe(200);
    }),
    { numRuns: 40 },
  );
});

test.each(['1e308', '5e-324'])(
  'D4: a document full of %s is not many times larger when it is read',
  async (number) => {
    const raw = `{"list":[${Array.from({ length: 20_000 }, () => number).join()}]}`;
    const created = await write(raw);
    const read = await api.get(`${posts.path}/${created.body.data?.id}`);
    expect(read.status).toBe(created.status === 201 ? 200 : 404);
    expect(read.text.length).toBeLessThan(raw.length * 4);
  },
);

test('D4: numbers beyond the exact integers do not take many times longer to read than others', async () => {
  const silence = (number: string) => {
    const document = `{"list":[${`${number},`.repeat(200_000)}1]}`;
    const documents = Array.from({ length: 8 }, () => document).join();
    // The first item is bad, so that reading the body is all there is to do.
    const call = api.post(`${posts.path}/batch`, undefined, {
      raw: `{"documents":[{"$bad":1},${documents}]}`,
    });
    return longestSilence(t.anonymous, call);
  };
  await silence('1.25');
  const ordinary = await silence('1.25');
  expect(await silence('1e22')).toBeLessThan(Math.max(ordinary, 100) * 6);
});
