// @postgres newest
import { describe, expect, test } from 'vitest';
import type { TierLimits } from '../../../src/calls/index.ts';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { image } from '../../support/files/contents.ts';
import { upload } from '../../support/files/forms.ts';
import { bearing, logIn, newEmail, newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const limits: Partial<TierLimits> = {
  documents: 20,
  documentBytes: 256 * 100,
  collections: 3,
  users: 4,
  indexes: 2,
  idempotencyBytes: 2000,
  sessionsPerUser: 3,
  storageBytes: 100_000,
};

const t = useTestApp({ TIERS: JSON.stringify({ enterprise: limits }) });

/** A project that has used nothing yet. */
async function newProject() {
  const project = await t.createProject();
  return { ...project, door: new Client(`${t.url}/p/${project.ref}`) };
}

async function used(api: Client): Promise<Record<string, { used: number; limit: number | null }>> {
  return (await api.get('/usage')).body.data;
}

test('documents are counted whoever writes them, and those that are deleted make room', async () => {
  const { api } = await newProject();
  const { path } = await newCollection(api);
  const batch = Array.from({ length: 19 }, () => ({}));
  const { body } = await api.post(`${path}/batch`, { documents: batch });
  expect((await api.post(path, {})).status).toBe(201);
  const refused = await api.post(path, {});
  expect(refused).toFailWith(403, 'quota_exceeded');
  expect(refused.body.error.details).toEqual({ quota: 'documents', limit: 20, used: 20 });
  expect(refused.body.error.message).toContain('documents: 20 of 20');
  expect((await used(api)).documents).toEqual({ used: 20, limit: 20 });
  expect(await api.post(`${path}/batch`, { documents: [{}, {}] })).toFailWith(403, 'quota_exceeded');
  await api.post(`${path}/batch-delete`, { ids: body.data.slice(0, 2).map(({ id }: { id: string }) => id) });
  await expect.poll(async () => (await api.post(`${path}/batch`, { documents: [{}, {}] })).status).toBe(201);
  expect((await used(api)).documents).toEqual({ used: 20, limit: 20 });
});

test('bytes are counted by what documents hold, also when they change', async () => {
  const { api } = await newProject();
  const { path } = await newCollection(api);
  const { body } = await api.post(path, { text: 'x'.repeat(256 * 90) });
  const document = `${path}/${body.data.id}`;
  expect((await used(api)).documentBytes).toEqual({ used: 256 * 91, limit: 256 * 100 });
  expect(await api.post(path, { text: 'x'.repeat(256 * 10) })).toFailWith(403, 'quota_exceeded');
  expect(await api.patch(document, { more: 'x'.repeat(256 * 10) })).toFailWith(403, 'quota_exceeded');
  expect((await api.patch(document, { more: 'x'.repeat(256 * 8) })).status).toBe(200);
  expect((await used(api)).documentBytes?.used).toBe(256 * 99);
  expect((await api.put(document, { text: 'short' })).status).toBe(200);
  expect((await used(api)).documentBytes?.used).toBe(256);
  await api.delete(document);
  expect((await used(api)).documentBytes?.used).toBe(0);
});

test('collections, indexes and app users', async () => {
  const { api, door } = await newProject();
  for (const name of ['a', 'b', 'c']) expect((await api.post('/collections', { name })).status).toBe(201);
  const fourth = await api.post('/collections', { name: 'd' });
  expect(fourth.body.error).toMatchObject({ code: 'quota_exceeded', details: { quota: 'collections' } });
  const index = (field: string) => api.post('/collections/a/indexes', { kind: 'sort', fields: [field] });
  expect([(await index('x')).status, (await index('y')).status]).toEqual([201, 201]);
  expect((await index('z')).body.error).toMatchObject({ details: { quota: 'indexes', limit: 2, used: 2 } });
  const signUp = () =>
    door.post('/auth-collections/signup', { email: newEmail(), password: 'correct horse' });
  const create = () => api.post('/auth-collections/users', { email: newEmail() });
  for (const add of [signUp, create, signUp, create]) expect((await add()).status).toBe(201);
  for (const add of [signUp, create])
    expect((await add()).body.error).toMatchObject({ code: 'quota_exceeded', details: { quota: 'users' } });
  expect(await used(api)).toMatchObject({
    collections: { used: 3 },
    indexes: { used: 2 },
    users: { used: 4 },
  });
});

test('answers that are kept for an Idempotency-Key; without one the call passes', async () => {
  const { api } = await newProject();
  const { path } = await newCollection(api);
  const create = (key: string) =>
    api.post(path, { text: 'x'.repeat(1500) }, { headers: { 'idempotency-key': key } });
  expect((await create('first')).status).toBe(201);
  const refused = await create('second');
  expect(refused.body.error).toMatchObject({
    code: 'quota_exceeded',
    details: { quota: 'idempotencyBytes' },
  });
  expect((await create('first')).headers.get('idempotency-replayed')).toBe('true');
  expect((await api.post(path, {})).status).toBe(201);
  expect((await api.get(path)).body.total).toBe(2);
});

test('a user has so many sessions: a further sign-in ends the oldest', async () => {
  const person = await newPerson(t);
  const signIn = async () => bearing(t, await logIn(t, person));
  const sessions = [person.me, await signIn(), await signIn(), await signIn()];
  const statuses = [];
  for (const me of sessions) statuses.push((await me.get('/auth-collections/user')).status);
  expect(statuses).toEqual([401, 200, 200, 200]);
});

test('12: resized images count, and are made but not kept where there is no room', async () => {
  const { api } = await newProject();
  const original = await image('png', 200, 200);
  const { body } = await upload(api, 'a.png', original);
  const before = (await used(api)).storageBytes!.used;
  expect(before).toBe(original.length);
  const small = await fetch(`${body.data.url}?w=10`);
  const bytes = (await small.arrayBuffer()).byteLength;
  expect((await used(api)).storageBytes!.used).toBe(before + bytes);
  for (let width = 1000; width < 1010; width += 1) {
    const answer = await fetch(`${body.data.url}?w=${width}&h=1000&fit=fill&format=png`);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  }
  expect((await used(api)).storageBytes!.used).toBeLessThanOrEqual(100_000);
  await api.delete(`/storage/file/${body.data.id}`);
  expect((await used(api)).storageBytes!.used).toBe(0);
});

describe('the figures of tiers', () => {
  test('are the operator’s; without them there are no quotas', async () => {
    const plain = await t.node({ TIERS: '' });
    const { apiKey } = await newProject();
    const usage = await used(new Client(plain.url, { 'x-api-key': apiKey }));
    expect(usage).toMatchObject({
      documents: { used: 0, limit: null },
      mailsPerDay: { used: 0, limit: null },
    });
  });

  test.each([
    ['{"free": ', 'not valid JSON'],
    ['{"gold": {}}', 'gold'],
    ['{"free": {"document": 1}}', 'free'],
    ['{"free": {"documents": -1}}', 'free.documents'],
    ['{"free": {"callsPerMinute": null}}', 'free.callsPerMinute'],
  ])('that are wrong stop the node: %s', async (tiers, said) => {
    await expect(t.node({ TIERS: tiers })).rejects.toThrow(said);
  });
});
