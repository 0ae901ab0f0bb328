// @tables own
import { expect, test } from 'vitest';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const locked = { read: 'locked', create: 'locked', update: 'locked', delete: 'locked' };

test('any part of the settings can be changed; the other parts stay', async () => {
  const { name, path } = await newCollection(t.api);
  const change = async (settings: object) => (await t.api.patch(path, { settings })).body.data.settings;
  expect(await change({ ownerField: 'author_id' })).toEqual({
    rules: locked,
    ownerField: 'author_id',
    hiddenFields: [],
  });
  expect(await change({ hiddenFields: ['secret', 'notes'] })).toMatchObject({ ownerField: 'author_id' });
  expect(await change({ rules: { read: 'locked' } })).toEqual({
    rules: locked,
    ownerField: 'author_id',
    hiddenFields: ['secret', 'notes'],
  });
  expect(await change({ ownerField: null, hiddenFields: [] })).toEqual({
    rules: locked,
    ownerField: null,
    hiddenFields: [],
  });
  expect(await change({})).toMatchObject({ rules: locked });
  expect((await t.api.get(path)).body.collection).toMatchObject({ name, settings: { ownerField: null } });
});

test('name and settings change together or not at all', async () => {
  const { name, path } = await newCollection(t.api);
  const taken = await newCollection(t.api);
  const refused = await t.api.patch(path, { name: taken.name, settings: { ownerField: 'a' } });
  expect(refused.status).toBe(400);
  expect((await t.api.get(path)).body.collection.settings.ownerField).toBeNull();
  const { body } = await t.api.patch(path, { name: `${name}2`, settings: { ownerField: 'a' } });
  expect(body.data).toMatchObject({ name: `${name}2`, settings: { ownerField: 'a' } });
});

test('parallel changes of different settings all survive', async () => {
  const { path } = await newCollection(t.api);
  const replies = await Promise.all([
    t.api.patch(path, { settings: { ownerField: 'author_id' } }),
    t.api.patch(path, { settings: { hiddenFields: ['secret'] } }),
    t.api.patch(path, { settings: { rules: { delete: 'locked' } } }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await t.api.get(path)).body.collection.settings).toEqual({
    rules: locked,
    ownerField: 'author_id',
    hiddenFields: ['secret'],
  });
});

test.each<[string, object]>([
  ['an unknown setting', { settings: { colour: 'red' } }],
  ['an unknown rule', { settings: { rules: { list: 'locked' } } }],
  ['a rule of the wrong type', { settings: { rules: { read: 5 } } }],
  ['an owner field of the wrong type', { settings: { ownerField: 5 } }],
  ['an empty hidden field', { settings: { hiddenFields: [''] } }],
  ['too many hidden fields', { settings: { hiddenFields: Array.from({ length: 101 }, (_, n) => `f${n}`) } }],
  ['settings of the wrong type', { settings: [] }],
  ['a part that is not settable', { documentCount: 5 }],
  ['an id', { id: '00000000-0000-4000-8000-000000000000' }],
])('%s is 400 and changes nothing', async (_name, body) => {
  const { path } = await newCollection(t.api);
  const before = (await t.api.get(path)).body.collection;
  const reply = await t.api.patch(path, body);
  expect(reply).toFailWith(400, 'invalid_body');
  expect((await t.api.get(path)).body.collection).toEqual(before);
});

test('changing or deleting an unknown collection is 404', async () => {
  for (const reply of [
    await t.api.patch('/collections/nowhere', { name: 'x' }),
    await t.api.delete('/collections/nowhere'),
    await t.api.get('/collections/00000000-0000-4000-8000-000000000000'),
  ]) {
    expect(reply).toFailWith(404, 'collection_not_found');
  }
});
