import { expect, test } from 'vitest';
import { newCollection } from '../../server/test/support/data/new-collection.ts';
import { useTestApp } from '../../server/test/support/test-app.ts';
import { attempt, createClient, isPlinthError } from '../src/index.ts';

const t = useTestApp();

const addressOf = () => `${t.url}/p/${t.projects[0].ref}`;
const server = (more: object = {}) =>
  createClient({ url: addressOf(), apiKey: t.projects[0].apiKey, ...more });

async function books() {
  const { name } = await newCollection(t.api);
  const collection = server().collection(name);
  await collection.createMany([
    { title: 'Dune', year: 1965, tags: ['sand'], shelf: { row: 'A' } },
    { title: 'Emma', year: 1815, tags: ['love'] },
    { title: 'Momo & Co', year: 1973, tags: ['time, gone', 'love'] },
  ]);
  return collection;
}

const titles = (items: readonly Record<string, unknown>[]) => items.map(({ title }) => title);

test('documents are created, read, changed, replaced and deleted', async () => {
  const collection = await books();
  const created = await collection.create({ title: 'Faust', year: 1808 });
  expect(created).toMatchObject({ title: 'Faust', year: 1808 });
  const { document, version } = await collection.getWithVersion(created.id);
  expect(document).toEqual(created);
  const changed = await collection.update(
    created.id,
    { title: 'Faust I', $increment: { year: 1 } },
    { ifMatch: version },
  );
  expect(changed).toMatchObject({ title: 'Faust I', year: 1809 });
  const late = await attempt(collection.update(created.id, { title: 'Lost' }, { ifMatch: version }));
  expect(late.error).toMatchObject({ code: 'version_mismatch', status: 400 });
  expect(await collection.replace(created.id, { title: 'Faust II' })).not.toHaveProperty('year');
  await collection.delete(created.id);
  expect(await collection.find(created.id)).toBeUndefined();
  await expect(collection.get(created.id)).rejects.toMatchObject({ code: 'document_not_found', status: 404 });
  await expect(collection.get('')).rejects.toThrow('The id is missing.');
});

test('batches are done whole, or not at all', async () => {
  const collection = await books();
  const all = await collection.all();
  expect(await collection.updateMany(all.map(({ id }) => ({ id, seen: true })))).toHaveLength(3);
  const failed = await attempt(collection.createMany([{ title: 'x' }, { $bad: 1 }]));
  expect(failed.error).toMatchObject({ details: { index: 1 } });
  const [{ id: first } = { id: '' }] = all;
  expect(await collection.deleteMany([first, '019a8c5e-7f00-8000-8123-4a5b6c7d8e9f'])).toMatchObject({
    deleted: 1,
    ids: [first],
  });
  expect(await collection.count()).toBe(2);
});

test('queries find what they say, by the builder and by text', async () => {
  const collection = await books();
  const byYear = collection.orderBy('year');
  const found = async (query: typeof byYear) => titles(await query.all());
  expect(await found(byYear.where('year', 'gte', 1900))).toEqual(['Dune', 'Momo & Co']);
  expect(await found(byYear.where('year__gte=1900'))).toEqual(['Dune', 'Momo & Co']);
  expect(await found(byYear.where('title', 'Momo & Co'))).toEqual(['Momo & Co']);
  expect(await found(byYear.where('tags', 'in', ['time, gone', 'sand']))).toEqual(['Dune', 'Momo & Co']);
  expect(await found(byYear.where('tags', 'in', []))).toEqual([]);
  expect(await found(byYear.any((is) => [is('year', 1815), is('title', 'contains', 'MO & c')]))).toEqual([
    'Emma',
    'Momo & Co',
  ]);
  expect(await found(byYear.where('shelf.row', null))).toEqual(['Emma', 'Momo & Co']);
  expect(await collection.where('year', 'lt', 1900).select('title').first()).toEqual({
    id: expect.any(String),
    title: 'Emma',
  });
  const query = byYear.where('title', 'ne', 'Emma');
  expect(
    titles((await t.api.get(`/collections/${collection.collection}?${query.toString()}`)).body.data),
  ).toEqual(['Dune', 'Momo & Co']);
});

test('pages follow each other, and `for await` goes through all of them', async () => {
  const { name } = await newCollection(t.api);
  const collection = server().collection(name);
  const numbers = Array.from({ length: 250 }, (_, n) => n);
  const created = await collection.createMany(numbers.map((n) => ({ n })));
  const seen: unknown[] = [];
  for await (const { n } of collection.orderBy('n')) seen.push(n);
  expect(seen).toEqual(numbers);
  expect(await collection.orderBy('-n').limit(120).all()).toHaveLength(120);
  const page = await collection.orderBy('n').page({ limit: 2, versions: true });
  expect(page).toMatchObject({ total: 250, hasMore: true, versions: ['1', '1'] });
  const next = await collection.orderBy('n').page({ limit: 2, cursor: page.nextCursor ?? '' });
  expect(next.items.map(({ n }) => n)).toEqual([2, 3]);
  const ids = created.map(({ id }) => id).toReversed();
  expect((await collection.getMany([...ids, created[0]!.id])).map(({ id }) => id)).toEqual([
    ...ids,
    created[0]!.id,
  ]);
  // Too long for an address.
  expect(await collection.where('id', 'in', ids).count()).toBe(250);
});

test('files travel in a form, where their URLs will be', async () => {
  const { name } = await newCollection(t.api);
  const collection = server().collection(name);
  const file = (text: string, type = 'text/plain') => new File([text], 'note.txt', { type });
  const created = await collection.create({
    title: 'x',
    note: file('one'),
    more: [file('two'), file('three')],
  });
  expect(await (await fetch(created.note)).text()).toBe('one');
  expect(created.more).toHaveLength(2);
  const changed = await collection.update(created.id, { note: file('new') });
  expect(await (await fetch(changed.note)).text()).toBe('new');
  await expect(collection.create({ more: [file('a'), 'b'] })).rejects.toThrow('mixes files');
});

test('a server acts for a user, and everyone else sees what rules show', async () => {
  const collection = await books();
  const { token } = await signUp();
  const anyone = createClient({ url: addressOf() }).collection(collection.collection);
  await expect(anyone.all()).rejects.toMatchObject({ code: 'credential_required', status: 401 });
  await t.api.patch(`/collections/${collection.collection}`, { settings: { rules: { read: 'users' } } });
  expect(await createClient({ url: addressOf() }).as(token).collection(collection.collection).count()).toBe(
    3,
  );
  const error = await attempt(anyone.first());
  expect(isPlinthError(error.error, 'credential_required')).toBe(true);
  expect(error.error?.requestId).toMatch(/^[\w-]{8,}$/);
});

async function signUp(): Promise<{ token: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const { data } = await createClient({ url: addressOf() }).call<{ access_token: string }>({
    method: 'POST',
    path: '/auth-collections/signup',
    body: { email, password: 'correct horse' },
  });
  return { token: data.access_token };
}

test('warnings of the server are passed on', async () => {
  const warnings: string[] = [];
  const { name } = await newCollection(t.api);
  const collection = server({ onWarning: (text: string) => warnings.push(text) }).collection(name);
  await collection.create({ title: 'x' });
  expect(await collection.where('titel', 'x').all()).toEqual([]);
  expect(warnings.join()).toContain('titel');
});
