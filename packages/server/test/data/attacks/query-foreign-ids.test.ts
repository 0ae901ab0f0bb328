// @postgres newest
import { afterEach, beforeAll, expect, test } from 'vitest';
import { collectionOfId, newId } from '../../../src/platform/ids.ts';
import type { Reply } from '../../support/client.ts';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
/** Of another project in the same cell, in a collection of the same number and name. */
let foreign: string;
/** Of another collection of the same project. */
let elsewhere: string;
let missing: string;
let twin: { ref: string };
/** A collection of the other project alone, by name and id. */
let theirs: string[];
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  posts = await newCollection(api);
  const own = await newDocument(api, posts.path, { mine: true });
  const second = await newCollection(api);
  elsewhere = (await newDocument(api, second.path, { mine: true })).id;
  const other = await t.createProject('twin');
  twin = other;
  expect(other.cell).toBe(t.projects[0].cell);
  await other.api.post('/collections', { name: posts.name });
  foreign = (await newDocument(other.api, posts.path, { secret: 'canary-51c3' })).id;
  expect(collectionOfId(foreign)).toBe(collectionOfId(own.id));
  const only = await newCollection(other.api);
  theirs = [only.name, only.id];
  missing = newId(collectionOfId(own.id));
  neighbours = await addNeighbours(t);
});
afterEach(() => neighbours.expectUnchanged());

/** The answer without what is different in any two answers. */
function shape(reply: Reply, id: string): unknown {
  const text = reply.text.replaceAll(id, '<id>').replace(/"requestId":"[^"]+"/, '');
  const names = [...reply.headers.keys()].filter((name) => name !== 'content-length').toSorted();
  return { status: reply.status, text, names };
}

const attempts: [string, (id: string) => Promise<Reply>][] = [
  ['GET', (id) => api.get(`${posts.path}/${id}`)],
  ['GET with select', (id) => api.get(`${posts.path}/${id}?select=secret`)],
  ['PATCH', (id) => api.patch(`${posts.path}/${id}`, { stolen: true })],
  ['PATCH with If-Match', (id) => api.patch(`${posts.path}/${id}`, {}, { headers: { 'If-Match': '"9"' } })],
  ['PATCH with a mismatching operator', (id) => api.patch(`${posts.path}/${id}`, { $append: { secret: 1 } })],
  ['PUT', (id) => api.put(`${posts.path}/${id}`, {})],
  ['DELETE', (id) => api.delete(`${posts.path}/${id}`)],
  ['batch-update', (id) => api.post(`${posts.path}/batch-update`, { updates: [{ id, stolen: true }] })],
  ['batch-delete', (id) => api.post(`${posts.path}/batch-delete`, { ids: [id] })],
  ['a filter by id', (id) => api.get(`${posts.path}?id=${id}`)],
  ['a filter by ids', (id) => api.get(`${posts.path}?id__in=${id},${newId(1)}`)],
];

test.each(attempts)(
  'Q11: %s answers the same for a foreign id, one of another collection, and none',
  async (_name, attempt) => {
    const expected = shape(await attempt(missing), missing);
    for (const id of [foreign, elsewhere]) {
      const reply = await attempt(id);
      expect(shape(reply, id)).toEqual(expected);
      expect(reply.text).not.toContain('canary');
    }
  },
);

test('Q11: a single document is 404 for all of them', async () => {
  for (const id of [foreign, elsewhere, missing]) {
    const { status, body } = await api.get(`${posts.path}/${id}`);
    expect({ status, body }).toFailWith(404, 'document_not_found');
  }
});

test('Q11: the foreign document is as it was after all that', async () => {
  const { rows } = await t.cells
    .pool(t.projects[0].cell)
    .query('SELECT version, data FROM cell.every_document WHERE id = $1', [foreign]);
  expect(rows).toEqual([{ version: 1, data: { secret: 'canary-51c3' } }]);
});

test('Q11: foreign collections are not found by name or id, nor reached by the project’s address', async () => {
  for (const name of theirs) {
    for (const reply of [
      await api.get(`/collections/${name}`),
      await api.post(`/collections/${name}`, {}),
      await api.patch(`/collections/${name}`, { name: 'mine' }),
      await api.delete(`/collections/${name}`),
    ]) {
      expect(reply).toFailWith(404, 'collection_not_found');
    }
    expect((await api.get(`/p/${twin.ref}/collections/${name}`)).status).toBe(401);
  }
});

test('Q11: a foreign id takes as long as one that is missing', async () => {
  const times: Record<'foreign' | 'missing', number[]> = { foreign: [], missing: [] };
  for (let n = 0; n < 150; n += 1) {
    // One after the other, so that whatever else the machine does slows both alike.
    for (const [kind, id] of [['foreign', foreign] as const, ['missing', missing] as const]) {
      const started = performance.now();
      await api.get(`${posts.path}/${id}`);
      times[kind].push(performance.now() - started);
    }
  }
  // Of the fast ones: a busy machine only adds to some, and what takes longer by itself does so every time.
  const usual = (of: number[]) => of.toSorted((a, b) => a - b)[of.length / 10]!;
  const ratio = usual(times.foreign) / usual(times.missing);
  expect(ratio).toBeGreaterThan(0.67);
  expect(ratio).toBeLessThan(1.5);
});
