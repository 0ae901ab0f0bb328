// @tables own moving
import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

interface Document {
  id: string;
  n: number;
  updatedAt: string;
}

/** A collection with this many documents, `n` counting up. */
async function filled(count: number): Promise<{ path: string; documents: Document[] }> {
  const { path } = await newCollection(t.api);
  const bodies = Array.from({ length: count }, (_, n) => ({ n }));
  const { body } = await t.api.post(`${path}/batch`, { documents: bodies });
  return { path, documents: body.data };
}

const all = async (path: string): Promise<Document[]> =>
  (await t.api.get(`${path}?limit=100&orderBy=id`)).body.data;

test('batch create answers 201 with 1,000 documents in the order sent, which is the order of their ids', async () => {
  const { path } = await newCollection(t.api);
  const documents = Array.from({ length: 1000 }, (_, n) => ({ n, id: 'ignored' }));
  const { status, body } = await t.api.post(`${path}/batch`, { documents });
  expect(status).toBe(201);
  expect(body.data.map(({ n }: Document) => n)).toEqual(documents.map(({ n }) => n));
  const ids: string[] = body.data.map(({ id }: Document) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  const list = await t.api.get(`${path}?orderBy=id&limit=1`);
  expect(list.body).toMatchObject({ total: 1000, data: [body.data[0]] });
});

test('1,001 items are refused in each kind of batch, and nothing is done', async () => {
  const { path, documents } = await filled(2);
  const ids = Array.from({ length: 1001 }, () => documents[0]!.id);
  for (const reply of [
    await t.api.post(`${path}/batch`, { documents: ids.map(() => ({})) }),
    await t.api.post(`${path}/batch-update`, { updates: ids.map((id) => ({ id, n: -1 })) }),
    await t.api.post(`${path}/batch-delete`, { ids }),
  ]) {
    expect(reply).toFailWith(400, 'batch_too_large');
  }
  expect(await all(path)).toEqual(documents);
});

test('1,000 items are taken in each kind of batch', async () => {
  const { path, documents } = await filled(1000);
  const updates = documents.map(({ id }) => ({ id, n: -1 }));
  expect((await t.api.post(`${path}/batch-update`, { updates })).status).toBe(200);
  const ids = documents.map(({ id }) => id);
  const { body } = await t.api.post(`${path}/batch-delete`, { ids });
  expect(body.data).toEqual({ deleted: 1000, ids, missing: [] });
  expect((await t.api.get(path)).body.total).toBe(0);
});

test('an empty batch does nothing and succeeds', async () => {
  const { path, documents } = await filled(1);
  expect((await t.api.post(`${path}/batch`, { documents: [] })).body.data).toEqual([]);
  expect((await t.api.post(`${path}/batch-update`, { updates: [] })).body.data).toEqual([]);
  const deleted = await t.api.post(`${path}/batch-delete`, { ids: [] });
  expect(deleted.body.data).toEqual({ deleted: 0, ids: [], missing: [] });
  expect(await all(path)).toEqual(documents);
});

test('one bad document leaves none, and details name the first', async () => {
  const { path } = await newCollection(t.api);
  const { status, body } = await t.api.post(`${path}/batch`, {
    documents: [{ n: 0 }, { n: 1 }, { $append: { a: 1 } }, { $bad: 1 }],
  });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_operator', details: { index: 2 } });
  const large = { text: 'x'.repeat(1_048_576) };
  const tooLarge = await t.api.post(`${path}/batch`, { documents: [{}, large] });
  expect(tooLarge.status).toBe(413);
  expect(tooLarge.body.error).toMatchObject({ code: 'body_too_large', details: { index: 1 } });
  expect(await all(path)).toEqual([]);
});

test('an item of the wrong type or with a value that cannot be stored is named too', async () => {
  const { path } = await newCollection(t.api);
  for (const item of [5, null, [], { a: { b: '\0' } }, { constructor: 1 }]) {
    const { status, body } = await t.api.post(`${path}/batch`, { documents: [{}, {}, item] });
    expect(status).toBe(400);
    expect(body.error.details.path).toMatch(/(^|\.)documents\.2(\.|$)/);
  }
  expect(await all(path)).toEqual([]);
});

test('batch update changes in order, answers in order, and takes operators', async () => {
  const { path, documents } = await filled(3);
  const [first, second, third] = documents as [Document, Document, Document];
  const { status, body } = await t.api.post(`${path}/batch-update`, {
    updates: [
      { id: third.id, $increment: { n: 10 } },
      { id: first.id, title: 'new', createdAt: 'ignored' },
    ],
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    { id: third.id, n: 12 },
    { id: first.id, n: 0, title: 'new', createdAt: (first as { createdAt?: string }).createdAt },
  ]);
  expect(await all(path)).toEqual([body.data[1], second, body.data[0]]);
});

test('a document named twice in a batch update is changed twice, in order', async () => {
  const { path, documents } = await filled(1);
  const { id } = documents[0]!;
  const { body } = await t.api.post(`${path}/batch-update`, {
    updates: [
      { id, $increment: { n: 5 }, first: true },
      { id, $increment: { n: 2 }, first: false },
    ],
  });
  const read = await t.api.get(`${path}/${id}`);
  expect(read.body.data).toMatchObject({ n: 7, first: false });
  expect(read.headers.get('etag')).toBe('"3"');
  expect(body.data).toEqual([read.body.data, read.body.data]);
});

test('one update that cannot be done leaves all undone, and details name the first', async () => {
  const { path, documents } = await filled(3);
  const change = (at: number) => ({ id: documents[at]!.id, n: -1 });
  const missing = newId(1);
  for (const [bad, code] of [
    [{ id: missing, n: 1 }, 'batch_item_not_found'],
    [{ id: 'no-id', n: 1 }, 'batch_item_not_found'],
    [{ id: documents[2]!.id, $append: { n: 1 } }, 'operator_mismatch'],
    [{ id: documents[2]!.id, $nonsense: {} }, 'invalid_operator'],
  ] as const) {
    const { status, body } = await t.api.post(`${path}/batch-update`, {
      updates: [change(0), bad, change(1), bad],
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code, details: { index: 1 } });
    expect(await all(path)).toEqual(documents);
  }
});

test('batch delete says what it deleted and what was missing, each once', async () => {
  const { path, documents } = await filled(3);
  const [first, second, third] = documents as [Document, Document, Document];
  const absent = newId(1);
  const ids = [third.id, absent, first.id, 'no-id', third.id, absent];
  const { status, body } = await t.api.post(`${path}/batch-delete`, { ids });
  expect(status).toBe(200);
  expect(body.data).toEqual({ deleted: 2, ids: [third.id, first.id], missing: [absent, 'no-id'] });
  expect(await all(path)).toEqual([second]);
});

test('batches that name the same documents in opposite orders do not wait for each other in a circle', async () => {
  const { path, documents } = await filled(50);
  const updates = documents.map(({ id }) => ({ id, $increment: { n: 1 } }));
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      t.api.post(`${path}/batch-update`, { updates: at % 2 === 0 ? updates : updates.toReversed() }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect((await all(path)).map(({ n }) => n)).toEqual(documents.map(({ n }) => n + 10));
});

test('what a batch update would make larger than a document may be is refused', async () => {
  const { path, documents } = await filled(1);
  const half = 'x'.repeat(600_000);
  const { id } = documents[0]!;
  const updates = [
    { id, a: half },
    { id, b: half },
  ];
  const { status, body } = await t.api.post(`${path}/batch-update`, { updates });
  expect(status).toBe(413);
  expect(body.error).toMatchObject({ code: 'body_too_large', details: { index: 1 } });
  expect(await all(path)).toEqual(documents);
});
