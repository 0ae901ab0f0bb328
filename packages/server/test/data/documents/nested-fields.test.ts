import { beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
const meta = { lang: 'en', tags: ['a'], deep: { x: 1 } };
beforeAll(async () => {
  const settings = { rules: { read: 'users', update: 'users' }, hiddenFields: ['inner.secret', 'hidden'] };
  await t.api.post('/collections', { name: 'nested', settings });
});

async function stored(fields: Record<string, unknown> = { meta }): Promise<string> {
  return `/collections/nested/${(await t.api.post('/collections/nested', fields)).body.data.id}`;
}

test('$set and $unset reach into objects and leave the rest', async () => {
  const path = await stored();
  const changed = await t.api.patch(path, {
    $set: { 'meta.lang': 'fr', 'meta.deep.y': { z: [1] }, 'new.way': null },
    $unset: ['meta.tags', 'meta.none'],
  });
  expect(changed.body.data).toMatchObject({
    meta: { lang: 'fr', deep: { x: 1, y: { z: [1] } } },
    new: { way: null },
  });
  expect(changed.body.data.meta).not.toHaveProperty('tags');
  expect((await t.api.get(path)).body.data).toEqual(changed.body.data);
});

test('changes of different fields of one object at once all survive', async () => {
  const path = await stored({ meta: {} });
  const names = Array.from({ length: 20 }, (_, n) => `f${n}`);
  await Promise.all(names.map((name) => t.api.patch(path, { $set: { [`meta.${name}`]: name } })));
  expect(Object.keys((await t.api.get(path)).body.data.meta).toSorted()).toEqual(names.toSorted());
});

test.each([
  [{ $set: { 'meta.lang.x': 1 } }, 'operator_mismatch'],
  [{ $set: { 'meta.__proto__.x': 1 } }, 'invalid_operator'],
  [{ $set: { id: 'x' } }, 'invalid_operator'],
  [{ $set: ['meta.lang'] }, 'invalid_operator'],
  [{ $unset: ['meta.lang', 5] }, 'invalid_operator'],
])('%j is refused', async (body, code) => {
  const path = await stored();
  expect((await t.api.patch(path, body)).body.error.code).toBe(code);
  expect((await t.api.get(path)).body.data.meta).toEqual(meta);
});

test('in batches, and in the data of users', async () => {
  const path = await stored();
  const id = path.split('/').at(-1);
  const updates = [{ id, $set: { 'meta.lang': 'de' }, 'meta.deep': 1 }];
  const { body } = await t.api.post('/collections/nested/batch-update', { updates });
  expect(body.data[0]).toMatchObject({ meta: { ...meta, lang: 'de' }, 'meta.deep': 1 });
  expect(body.warnings).toEqual([expect.stringContaining('"$set": {"meta.deep"')]);
  const { me } = await newPerson(t);
  await me.patch('/auth-collections/user', { data: { meta, gone: 1 } });
  const user = await me.patch('/auth-collections/user', {
    data: { $set: { 'meta.lang': 'fr' }, $unset: ['gone'] },
  });
  expect(user.body.data.data).toEqual({ meta: { ...meta, lang: 'fr' } });
  const odd = await me.patch('/auth-collections/user', { data: { 'meta.lang': 'x' } });
  expect(odd.body.warnings).toHaveLength(1);
});

test('a name with a dot is a name, and a warning where there is an object of that name', async () => {
  const path = await stored();
  const warned = await t.api.patch(path, { 'meta.lang': 'fr' });
  expect(warned.body.data).toMatchObject({ meta, 'meta.lang': 'fr' });
  expect(warned.body.warnings).toEqual([expect.stringContaining('{"$set": {"meta.lang"')]);
  expect((await t.api.patch(path, { 'other.lang': 'fr' })).body).not.toHaveProperty('warnings');
  expect((await t.api.put(path, { meta, 'meta.lang': 'fr' })).body).not.toHaveProperty('warnings');
});

test('what is hidden is neither changed nor told of', async () => {
  const path = await stored({ inner: { secret: 1 }, hidden: { a: 1 } });
  const { me } = await newPerson(t);
  for (const body of [
    { $set: { 'inner.secret': 2 } },
    { $set: { inner: {} } },
    { $unset: ['inner.secret'] },
    { $unset: ['inner'] },
    { $set: { 'hidden.a': 2 } },
  ])
    expect((await me.patch(path, body)).status).toBe(403);
  expect((await me.patch(path, { 'hidden.a': 2 })).body).not.toHaveProperty('warnings');
  expect((await t.api.get(path)).body.data).toMatchObject({ inner: { secret: 1 }, hidden: { a: 1 } });
});

test('a link that $set brings is followed', async () => {
  const target = await t.api.post('/collections/nested', { name: 'target' });
  const path = await stored({ meta: {} });
  await t.api.patch(path, { $set: { 'meta.next': target.body.data.id } });
  const { body } = await t.api.get(`${path}?populate=meta.next`);
  expect(body.data.meta.next).toMatchObject({ name: 'target' });
});
