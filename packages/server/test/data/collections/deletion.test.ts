// @tables own
import { beforeAll, expect, test } from 'vitest';
import { collectionOfId } from '../../../src/platform/ids.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { eventually, Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let stored: Stored;
beforeAll(async () => {
  stored = new Stored(t, t.projects[0]);
});

test('deletion makes the documents unreachable at once and removes their rows', async () => {
  const { id, name, path } = await newCollection(t.api);
  const documents = Array.from({ length: 1000 }, (_, n) => ({ n }));
  const { body } = await t.api.post(`${path}/batch`, { documents });
  const kept = await newCollection(t.api);
  await newDocument(t.api, kept.path, { stays: true });
  const { number } = await stored.collection(name);
  expect(await stored.documents(number)).toBe(1000);

  const deleted = await t.api.delete(path);
  expect(deleted.status).toBe(200);
  expect(deleted.body.data).toEqual({ id, deleted: true });
  for (const address of [path, `/collections/${id}`, `${path}/${body.data[0].id}`]) {
    expect(await t.api.get(address)).toFailWith(404, 'collection_not_found');
  }
  expect((await t.api.delete(path)).status).toBe(404);
  expect((await t.api.get('/collections')).body.data).toEqual([expect.objectContaining({ name: kept.name })]);
  expect(await stored.counted(number)).toEqual({ rows: 0, sum: 0 });

  await eventually('the rows are gone', async () => (await stored.documents(number)) === 0);
  await eventually('no purge is left', async () => (await stored.purges()) === 0);
  expect((await t.api.get(kept.path)).body.data).toEqual([expect.objectContaining({ stays: true })]);
});

test('a number is never used again: ids of a deleted collection are found nowhere', async () => {
  const first = await newCollection(t.api);
  const document = await newDocument(t.api, first.path, { a: 1 });
  await t.api.delete(first.path);
  const second = await t.api.post('/collections', { name: first.name });
  expect(second.status).toBe(201);
  expect(second.body.data).toMatchObject({ documentCount: 0 });
  expect(second.body.data.id).not.toBe(first.id);
  const fresh = await newDocument(t.api, first.path, { b: 1 });
  expect(collectionOfId(fresh.id)).not.toBe(collectionOfId(document.id));
  for (const reply of [
    await t.api.get(`${first.path}/${document.id}`),
    await t.api.patch(`${first.path}/${document.id}`, { a: 2 }),
    await t.api.put(`${first.path}/${document.id}`, {}),
    await t.api.delete(`${first.path}/${document.id}`),
  ]) {
    expect(reply).toFailWith(404, 'document_not_found');
  }
  expect((await t.api.get(first.path)).body).toMatchObject({ total: 1, data: [fresh] });
});

test('numbers rise also past collections that were deleted or refused', async () => {
  const { api, ref, cell } = await t.createProject();
  const other = new Stored(t, { ref, cell });
  const numbers: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    await api.post('/collections', { name });
    await api.post('/collections', { name });
    numbers.push((await other.collection(name)).number);
    await api.delete(`/collections/${name}`);
  }
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

test('of 10 parallel deletions one deletes', async () => {
  const { path } = await newCollection(t.api);
  const replies = await Promise.all(Array.from({ length: 10 }, () => t.api.delete(path)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.error?.code === 'collection_not_found')).toHaveLength(9);
});

test('more documents than one step takes are removed too', async () => {
  const { name, path } = await newCollection(t.api);
  const { id } = await newDocument(t.api, path, {});
  const { number } = await stored.collection(name);
  await stored.query(
    `INSERT INTO cell.every_document (project_id, collection, id, updated_at, data)
     SELECT project_id, collection, gen_random_uuid(), updated_at, data
     FROM cell.every_document, generate_series(1, 12000) WHERE project_id = $1 AND id = $2`,
    [id],
  );
  await t.api.delete(path);
  await eventually('12,001 rows are gone', async () => (await stored.documents(number)) === 0);
  await eventually('no purge is left', async () => (await stored.purges()) === 0);
});

test('a document that a writer still holds does not hold up the removal of other collections', async () => {
  const held = await newCollection(t.api);
  const { id } = await newDocument(t.api, held.path, {});
  await newDocument(t.api, held.path, {});
  const other = await newCollection(t.api);
  await newDocument(t.api, other.path, {});
  const numbers = [(await stored.collection(held.name)).number, (await stored.collection(other.name)).number];
  const table = await stored.tableOf(id);
  const writer = await t.cells.pool(t.projects[0].cell).connect();
  try {
    await writer.query('BEGIN');
    await writer.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
    await t.api.delete(held.path);
    await t.api.delete(other.path);
    // A table of its own goes as a whole, so there other rows wait with it.
    const others = 'SELECT FROM cell.documents WHERE project_id = $1 AND collection = $2 AND id <> $3';
    await eventually(
      'only the held row is left in the shared table',
      async () => (await stored.query(others, [numbers[0], id])).length === 0,
    );
    // Sooner than whoever waited for the held row would give up, after 48 s.
    await eventually(
      'the other collection is gone',
      async () => (await stored.documents(numbers[1]!)) === 0,
      30,
    );
    expect(await stored.tableOf(id)).toBe(table);
  } finally {
    await writer.query('ROLLBACK');
    writer.release();
  }
  const last = await newCollection(t.api);
  await t.api.delete(last.path);
  await eventually('no purge is left', async () => (await stored.purges()) === 0);
  expect(await stored.documents(numbers[0]!)).toBe(0);
});
