// @tables own moving
import { beforeAll, expect, test } from 'vitest';
import { timeOfId } from '../../../src/platform/ids.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let posts: NewCollection;
beforeAll(async () => {
  posts = await newCollection(t.api);
});

const at = (document: { id: string }) => `${posts.path}/${document.id}`;

test('a document is created, read, changed, replaced and deleted, by the collection’s name or id', async () => {
  for (const path of [posts.path, `/collections/${posts.id}`]) {
    const created = await t.api.post(path, { title: 'a', nested: { deep: [1, null, { x: 'ü' }] } });
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect((await t.api.get(`${path}/${id}`)).body.data).toEqual(created.body.data);
    const patched = await t.api.patch(`${path}/${id}`, { title: null, more: true });
    expect(patched.status).toBe(200);
    expect(patched.body.data).toMatchObject({
      title: null,
      more: true,
      nested: { deep: [1, null, { x: 'ü' }] },
    });
    const put = await t.api.put(`${path}/${id}`, { only: 1 });
    const { updatedAt, ...rest } = put.body.data;
    expect(rest).toEqual({ id, createdAt: created.body.data.createdAt, only: 1 });
    expect((await t.api.get(`${path}/${id}`)).body.data).toEqual({ ...rest, updatedAt });
    const deleted = await t.api.delete(`${path}/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body.data).toEqual({ id, deleted: true });
    for (const again of [
      await t.api.get(`${path}/${id}`),
      await t.api.patch(`${path}/${id}`, {}),
      await t.api.put(`${path}/${id}`, {}),
      await t.api.delete(`${path}/${id}`),
    ]) {
      expect(again).toFailWith(404, 'document_not_found');
    }
  }
});

test('what the service owns is ignored in every write', async () => {
  const own = { id: 'mine', createdAt: '2000-01-01T00:00:00.000Z', updatedAt: 0 };
  const created = await newDocument(t.api, posts.path, { ...own, a: 1 });
  expect(created.createdAt).toBe(new Date(timeOfId(created.id)).toISOString());
  expect(created.updatedAt).toBe(created.createdAt);
  const patched = (await t.api.patch(at(created), { ...own, b: 2 })).body.data;
  const put = (await t.api.put(at(created), { ...own, id: null, c: 3 })).body.data;
  for (const [changed, fields] of [
    [patched, { a: 1, b: 2 }],
    [put, { c: 3 }],
  ]) {
    const { id, createdAt, updatedAt, ...rest } = changed;
    expect({ id, createdAt }).toEqual({ id: created.id, createdAt: created.createdAt });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(createdAt));
    expect(rest).toEqual(fields);
  }
});

test('updatedAt rises with every change, however fast they come', async () => {
  const document = await newDocument(t.api, posts.path, {});
  const times: string[] = [document.updatedAt];
  for (let n = 0; n < 20; n += 1) {
    const { body } =
      n % 2 === 0 ? await t.api.patch(at(document), { n }) : await t.api.put(at(document), { n });
    times.push(body.data.updatedAt);
  }
  expect(times).toEqual([...new Set(times)].toSorted());
  for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('updatedAt rises also where this node’s clock is behind the one that wrote before', async () => {
  const document = await newDocument(t.api, posts.path, {});
  const ahead = Date.now() + 3_600_000;
  await new Stored(t, t.projects[0]).query(
    'UPDATE cell.every_document SET updated_at = $3 WHERE project_id = $1 AND id = $2',
    [document.id, ahead],
  );
  const { body } = await t.api.patch(at(document), { a: 1 });
  expect(Date.parse(body.data.updatedAt)).toBe(ahead + 1);
});

test('a list is newest first and pages by cursor to the end, each document once', async () => {
  const { path } = await newCollection(t.api);
  const ids: string[] = [];
  for (let n = 0; n < 11; n += 1) ids.push((await newDocument(t.api, path, { n })).id);
  const seen: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 10; pages += 1) {
    const { body } = await t.api.get(`${path}?limit=4${cursor}`);
    expect(body.total).toBe(11);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.hasMore) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(seen).toEqual(ids.toReversed());
});

test('select gives only the fields asked for, and id', async () => {
  const document = await newDocument(t.api, posts.path, { a: { b: 1, c: 2 }, d: 3, e: 4 });
  const read = await t.api.get(`${at(document)}?select=a.b&select=d`);
  expect(read.body.data).toEqual({ id: document.id, a: { b: 1 }, d: 3 });
  const listed = await t.api.get(`${posts.path}?id=${document.id}&select=e,updatedAt`);
  expect(listed.body.data).toEqual([{ id: document.id, e: 4, updatedAt: document.updatedAt }]);
  expect((await t.api.get(`${at(document)}?limit=1`)).status).toBe(400);
});

test('any JSON comes back as it was, whatever its fields are called', async () => {
  const fields = {
    '': 'empty name',
    'a.b': 'dot',
    'with space': [],
    toString: 'own',
    hasOwnProperty: { valueOf: 1 },
    length: 0,
    limit: 'reserved in queries',
    nested: { $gt: 1, id: 'not the document’s', createdAt: null },
    '日本語 😀': '\u2028 \u0001 \uffff',
  };
  const created = await newDocument(t.api, posts.path, fields);
  const {
    id,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...read
  } = (await t.api.get(at(created))).body.data;
  expect(read).toEqual(fields);
  expect(id).toBe(created.id);
});

test('an empty object is a document; a body that is missing or no object is not', async () => {
  const { body } = await t.api.post(posts.path, {});
  expect(Object.keys(body.data)).toEqual(['id', 'createdAt', 'updatedAt']);
  for (const reply of [
    await t.api.post(posts.path),
    await t.api.post(posts.path, undefined, { raw: '' }),
    await t.api.post(posts.path, [{}]),
    await t.api.post(posts.path, undefined, { raw: '{"a":' }),
    await t.api.post(posts.path, {}, { headers: { 'content-type': 'text/plain' } }),
  ]) {
    expect(reply).toFailWith(400, 'invalid_body');
  }
});

test('a document is found in its own collection only', async () => {
  const other = await newCollection(t.api);
  const document = await newDocument(t.api, posts.path, {});
  expect((await t.api.get(`${other.path}/${document.id}`)).status).toBe(404);
  expect((await t.api.delete(`${other.path}/${document.id}`)).status).toBe(404);
  expect((await t.api.get(at(document))).status).toBe(200);
});

test('writing to an unknown collection is 404', async () => {
  const { id } = await newDocument(t.api, posts.path, {});
  for (const reply of [
    await t.api.post('/collections/nowhere', {}),
    await t.api.patch(`/collections/nowhere/${id}`, {}),
    await t.api.put(`/collections/nowhere/${id}`, {}),
    await t.api.delete(`/collections/nowhere/${id}`),
    await t.api.post('/collections/nowhere/batch', { documents: [] }),
    await t.api.post('/collections/nowhere/batch-update', { updates: [] }),
    await t.api.post('/collections/nowhere/batch-delete', { ids: [] }),
  ]) {
    expect(reply).toFailWith(404, 'collection_not_found');
  }
});
