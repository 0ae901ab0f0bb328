// @postgres newest
import { afterEach, beforeAll, expect, test } from 'vitest';
import { longestSilence } from '../../support/calls/longest-silence.ts';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let nodes: GuardedClient[];
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
beforeAll(async () => {
  const key = { 'x-api-key': t.projects[0].apiKey };
  nodes = [new GuardedClient(t.url, key), new GuardedClient((await t.node()).url, key)];
  api = nodes[0]!;
  posts = await newCollection(api);
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);

test('D11: 200 parallel $append and $remove all take effect', async () => {
  const { id } = await newDocument(api, posts.path, { list: numbers(100), count: 0 });
  const at = `${posts.path}/${id}`;
  const replies = await Promise.all(
    numbers(200).map((n) => {
      const change = n % 2 === 0 ? { $append: { list: 1000 + n } } : { $remove: { list: (n - 1) / 2 } };
      return nodes[n % 2]!.patch(at, { ...change, $increment: { count: 1 } });
    }),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(200);
  const read = await api.get(at);
  const { list, count } = read.body.data as { list: number[]; count: number };
  expect(list.toSorted((a, b) => a - b)).toEqual(numbers(100).map((n) => 1000 + 2 * n));
  expect(count).toBe(200);
  expect(read.headers.get('etag')).toBe('"201"');
});

test('D11: of 100 parallel $addUnique of ten values ten elements are there', async () => {
  const { id } = await newDocument(api, posts.path, {});
  const at = `${posts.path}/${id}`;
  await Promise.all(
    numbers(100).map((n) => nodes[n % 2]!.patch(at, { $addUnique: { tags: { v: n % 10 } } })),
  );
  const { tags } = (await api.get(at)).body.data as { tags: { v: number }[] };
  expect(tags.map(({ v }) => v).toSorted((a, b) => a - b)).toEqual(numbers(10));
});

test('D11: a target that is not an array stays as it is under any number of tries', async () => {
  const fields = { text: 'abc', number: 5, object: { a: 1 }, nothing: null, flag: true };
  const document = await newDocument(api, posts.path, fields);
  const at = `${posts.path}/${document.id}`;
  const replies = await Promise.all(
    Object.keys(fields).flatMap((field) =>
      ['$append', '$addUnique', '$remove'].map((operator) => api.patch(at, { [operator]: { [field]: 1 } })),
    ),
  );
  for (const { status, body } of replies) expect({ status, body }).toFailWith(400, 'operator_mismatch');
  expect((await api.get(at)).body.data).toEqual(document);
});

test('D11: an array grows up to the limit of a document and no further', async () => {
  const { id } = await newDocument(api, posts.path, { list: [] });
  const at = `${posts.path}/${id}`;
  const piece = 'x'.repeat(200_000);
  const statuses: number[] = [];
  for (let n = 0; n < 7; n += 1) statuses.push((await api.patch(at, { $append: { list: piece } })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 413, 413]);
  expect((await api.get(at)).body.data.list).toHaveLength(5);
  expect((await api.patch(at, { $remove: { list: piece } })).body.data.list).toEqual([]);
});

test.each<[string, object, object]>([
  [
    '$addUnique of 3,000 values to 3,000',
    { list: numbers(3000) },
    { $addUnique: { list: { $each: numbers(3000, 3000) } } },
  ],
  [
    '$remove of 3,000 values from 3,000',
    { list: numbers(3000) },
    { $remove: { list: { $each: numbers(3000, 3000) } } },
  ],
  [
    '$increment of 3,000 fields of one object',
    {},
    { $increment: Object.fromEntries(numbers(3000).map((n) => [`object.k${n}`, 1])) },
  ],
])('D11: %s does not hold up the node', async (_name, fields, patch) => {
  const { id } = await newDocument(api, posts.path, fields);
  const call = api.patch(`${posts.path}/${id}`, patch);
  expect(await longestSilence(t.anonymous, call)).toBeLessThan(2500);
  expect((await call).status).toBe(200);
});
