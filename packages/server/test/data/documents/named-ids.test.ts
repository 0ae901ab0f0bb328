// @tables own moving
import { expect, test } from 'vitest';
import { collectionOfId, newId } from '../../../src/platform/ids.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { uniqueCollection } from '../../support/indexes/unique-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

async function collectionAndNumber() {
  const { path } = await newCollection(t.api);
  const { body } = await t.api.get(path);
  return { path, number: body.collection.number as number };
}

/** An id of some time ago, or to come. */
function idAt(number: number, ms: number): string {
  const time = (Date.now() + ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId(number).slice(13)}`;
}

test('a new document may name its id', async () => {
  const { path, number } = await collectionAndNumber();
  const id = idAt(number, -86_400_000);
  const before = Date.now();
  const { status, body } = await t.api.post(path, { id, title: 'made on a train' });
  expect(status).toBe(201);
  expect(body.data.id).toBe(id);
  expect(Date.parse(body.data.createdAt)).toBeLessThan(before - 80_000_000);
  // New to those who ask what has changed.
  expect(Date.parse(body.data.updatedAt)).toBeGreaterThanOrEqual(before);
  expect((await t.api.get(`${path}/${id}`)).body.data).toEqual(body.data);
  expect((await t.api.get(path)).body.collection.documentCount).toBe(1);
});

test('an id is taken once, however many ask for it at once', async () => {
  const { path, number } = await collectionAndNumber();
  const id = newId(number);
  const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => t.api.post(path, { id, n })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const reply of replies.filter(({ status }) => status !== 201))
    expect(reply).toFailWith(400, 'id_taken');
  expect((await t.api.get(path)).body).toMatchObject({ total: 1, collection: { documentCount: 1 } });
});

test('a repeated call with its Idempotency-Key is answered as the first', async () => {
  const { path, number } = await collectionAndNumber();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const body = { id: newId(number), title: 'once' };
  const first = await t.api.post(path, body, { headers });
  const again = await t.api.post(path, body, { headers });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body.data).toEqual(first.body.data);
});

test('an id of another collection, of a user, or none at all is ignored', async () => {
  const { path, number } = await collectionAndNumber();
  for (const id of [newId(number + 1), newId(0), 'mine', crypto.randomUUID(), 7, null]) {
    const { status, body } = await t.api.post(path, { id, title: 'x' });
    expect(status).toBe(201);
    expect(body.data.id).not.toBe(id);
    expect(collectionOfId(body.data.id)).toBe(number);
  }
});

test('an id may be a minute ahead, and no more', async () => {
  const { path, number } = await collectionAndNumber();
  expect((await t.api.post(path, { id: idAt(number, 50_000) })).status).toBe(201);
  expect(await t.api.post(path, { id: idAt(number, 120_000) })).toFailWith(400, 'id_not_possible');
});

test('a batch names ids too, and none of it is stored if one is taken', async () => {
  const { path, number } = await collectionAndNumber();
  const [one, two] = [newId(number), newId(number)];
  const created = await t.api.post(`${path}/batch`, { documents: [{ id: one }, {}, { id: two }] });
  expect(created.body.data[0].id).toBe(one);
  expect(created.body.data[2].id).toBe(two);
  const taken = await t.api.post(`${path}/batch`, { documents: [{}, { id: two }] });
  expect(taken).toFailWith(400, 'id_taken');
  expect(taken.body.error.details.index).toBe(1);
  const third = newId(number);
  const twice = await t.api.post(`${path}/batch`, { documents: [{ id: third }, { id: third }] });
  expect(twice).toFailWith(400, 'id_taken');
  expect((await t.api.get(path)).body.total).toBe(3);
});

test('rules see the document with its id, and unique values are kept', async () => {
  const { path } = await uniqueCollection(t.api, ['code']);
  const { number } = (await t.api.get(path)).body.collection;
  const id = newId(number);
  expect((await t.api.post(path, { id, code: 'a' })).status).toBe(201);
  expect(await t.api.post(path, { id: newId(number), code: 'a' })).toFailWith(400, 'duplicate_value');
  await t.api.patch(path, { settings: { rules: { create: `id=${id}` } } });
  expect(await t.anonymous.post(`/p/${t.projects[0].ref}${path}`, { id: newId(number) })).toFailWith(
    403,
    'rule_denied',
  );
});
