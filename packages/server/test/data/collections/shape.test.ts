// @tables own moving
import type { CollectionShape, FieldShape } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

async function shapeOf(path: string): Promise<CollectionShape> {
  const { status, body, text } = await t.api.get(`${path}/shape`);
  expect(status, text).toBe(200);
  return body.data;
}

const fieldOf = ({ fields }: CollectionShape, path: string): FieldShape => {
  const field = fields.find((field) => field.path === path);
  expect(field, path).toBeDefined();
  return field!;
};

async function fill(path: string, documents: readonly object[]): Promise<void> {
  for (let at = 0; at < documents.length; at += 1000) {
    const reply = await t.api.post(`${path}/batch`, { documents: documents.slice(at, at + 1000) });
    expect(reply.status, reply.text).toBe(201);
  }
}

test('fields, with their types, shares, examples and values', async () => {
  const { path } = await newCollection(t.api);
  const documents = Array.from({ length: 60 }, (_, n) => ({
    title: `Book ${n}`,
    status: n % 2 === 0 ? 'open' : 'lent',
    year: n % 10 === 0 ? null : 1900 + n,
    ...(n < 30 && { shelf: { row: 'A', 'odd.name': n } }),
    tags: n === 0 ? [] : ['x', n],
    lines: [{ sku: 'a1' }, { sku: 'a2', left: true }],
    text: 'x'.repeat(200),
  }));
  await fill(path, documents);
  const shape = await shapeOf(path);
  expect(shape).toMatchObject({ sampled: 60, isComplete: true, hasMore: false });
  expect(shape.fields.map((field) => field.path).toSorted()).toEqual(
    [
      'title status year shelf shelf.row shelf.odd\\.name tags tags[] lines',
      'lines[] lines[].sku lines[].left text',
    ]
      .join(' ')
      .split(' ')
      .toSorted(),
  );
  expect(fieldOf(shape, 'status')).toMatchObject({
    count: 60,
    share: 1,
    types: { string: 1 },
    values: ['lent', 'open'],
  });
  expect(fieldOf(shape, 'year')).toMatchObject({ share: 1, types: { number: 0.9, null: 0.1 } });
  expect(fieldOf(shape, 'title').values).toBeUndefined();
  expect(fieldOf(shape, 'title').examples).toHaveLength(3);
  expect(fieldOf(shape, 'text')).toMatchObject({ examples: [], types: { string: 1 } });
  expect(fieldOf(shape, 'text').values).toBeUndefined();
  expect(fieldOf(shape, 'shelf').share).toBe(0.5);
  expect(fieldOf(shape, 'shelf.row')).toMatchObject({ share: 1, values: ['A'] });
  expect(fieldOf(shape, 'tags[]').types).toEqual({ string: 0.5, number: 0.5 });
  expect(fieldOf(shape, 'lines[].left')).toMatchObject({ share: 0.5, values: [true] });
});

test('links are named by the collections that they lead to', async () => {
  const [authors, books] = [await newCollection(t.api), await newCollection(t.api)];
  const author = (await t.api.post(authors.path, { name: 'Ada' })).body.data.id;
  const user = (await t.api.post('/auth-collections/users', { email: `${books.name}@example.com` })).body
    .data;
  await fill(books.path, [{ author_id: author, editor_ids: [author], owner_id: user.id, plain: 'x' }]);
  const shape = await shapeOf(books.path);
  expect(fieldOf(shape, 'author_id').links).toEqual([authors.name]);
  expect(fieldOf(shape, 'editor_ids[]').links).toEqual([authors.name]);
  expect(fieldOf(shape, 'owner_id').links).toEqual(['@user']);
  expect(fieldOf(shape, 'plain').links).toBeUndefined();
});

test('of a large collection some of every time are looked at', async () => {
  const { path } = await newCollection(t.api);
  await fill(
    path,
    Array.from({ length: 3000 }, (_, n) => ({ part: Math.floor(n / 1000) })),
  );
  const shape = await shapeOf(path);
  expect(shape.isComplete).toBe(false);
  expect(shape.sampled).toBeGreaterThan(200);
  expect(shape.sampled).toBeLessThanOrEqual(1000);
  expect(fieldOf(shape, 'part').values).toEqual([0, 1, 2]);
});

test('maps and very many fields end somewhere, and it says so', async () => {
  const { path } = await newCollection(t.api);
  const map = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, n]));
  await fill(path, [
    { deep: {}, a: map, b: map, c: map, d: map, e: map, map },
    Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`other${n}`, n])),
  ]);
  const { fields, hasMore } = await shapeOf(path);
  expect(hasMore).toBe(true);
  expect(fields.length).toBeLessThanOrEqual(500);
  expect(fields.filter(({ path }) => path.startsWith('a.'))).toHaveLength(100);
  // What documents have themselves is told of before what is in it.
  expect(fields.filter(({ path }) => /^[a-z0-9]+$/.test(path))).toHaveLength(97);
});

test('eight levels are looked into', async () => {
  const { path } = await newCollection(t.api);
  let deep: object = { end: true };
  for (let n = 0; n < 20; n += 1) deep = { deep };
  await fill(path, [deep]);
  expect((await shapeOf(path)).fields).toHaveLength(8);
});

test('large documents and long names are looked at within bounds', async () => {
  const { path } = await newCollection(t.api);
  for (let n = 0; n < 5; n += 1)
    expect((await t.api.post(path, { n, text: 'x'.repeat(900_000) })).status).toBe(201);
  await t.api.post(path, { n: 5, ['long'.repeat(100)]: { a: 1 } });
  const shape = await shapeOf(path);
  expect(shape.isComplete).toBe(false);
  expect(shape.sampled).toBeGreaterThanOrEqual(2);
  expect(shape.sampled).toBeLessThanOrEqual(3);
  expect(shape.fields.every(({ path }) => path.length < 200)).toBe(true);
});

test('an empty collection has no fields; only the API key may ask, and only for what there is', async () => {
  const { path } = await newCollection(t.api);
  expect(await shapeOf(path)).toEqual({ sampled: 0, isComplete: true, fields: [], hasMore: false });
  const anyone = new Client(`${t.url}/p/${t.projects[0].ref}`);
  expect((await anyone.get(`${path}/shape`)).status).toBe(401);
  expect(await t.api.get('/collections/nowhere/shape')).toFailWith(404, 'collection_not_found');
});
