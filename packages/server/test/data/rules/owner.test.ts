// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let alice: Person;
let bob: Person;
let path: string;
let mine: string;
beforeAll(async () => {
  stage = await Stage.open();
  [alice, bob] = await Promise.all([stage.person(), stage.person()]);
  path = `/collections/${await stage.collection({ ownerField: 'owner_id' })}`;
  mine = (await succeed(alice.client.post(path, { n: 1 }))).id;
});
afterAll(() => stage[Symbol.asyncDispose]());

describe('the creator owns what it creates', () => {
  test.each([
    ['left out', {}],
    ['another’s', { owner_id: 'someone' }],
    ['null', { owner_id: null }],
    ['an array', { owner_id: ['someone'] }],
  ])('whatever the body says: %s', async (_what, body) => {
    expect((await succeed(alice.client.post(path, body))).owner_id).toBe(alice.id);
    const [made] = await succeed(alice.client.post(`${path}/batch`, { documents: [body] }));
    expect(made.owner_id).toBe(alice.id);
  });

  test('with the API key the body says who the owner is', async () => {
    expect((await stage.document(path.split('/')[2]!, { owner_id: bob.id })).owner_id).toBe(bob.id);
    expect(await stage.document(path.split('/')[2]!, {})).not.toHaveProperty('owner_id');
    const both = { headers: { 'x-api-key': stage.t.projects[0].apiKey } };
    expect((await succeed(alice.client.post(path, { owner_id: bob.id }, both))).owner_id).toBe(bob.id);
    expect((await succeed(alice.client.post(path, {}, both))).owner_id).toBe(alice.id);
  });

  test('someone not signed in creates what nobody owns, and can make nobody its owner', async () => {
    expect(await succeed(stage.anonymous.post(path, { n: 1 }))).not.toHaveProperty('owner_id');
    expect(await stage.anonymous.post(path, { owner_id: alice.id })).toFailWith(403, 'field_protected');
    const batch = { documents: [{}, { owner_id: alice.id }] };
    expect(await stage.anonymous.post(`${path}/batch`, batch)).toFailWith(403, 'field_protected');
  });
});

describe('app users cannot change the owner', () => {
  const changes: [string, () => object][] = [
    ['another', () => ({ owner_id: bob.id })],
    ['null', () => ({ owner_id: null })],
    ['$unset', () => ({ $unset: { owner_id: true } })],
    ['$unset, then an operator', () => ({ $unset: { owner_id: true }, $append: { owner_id: bob.id } })],
    ['$append', () => ({ $append: { owner_id: bob.id } })],
    ['$addUnique', () => ({ $addUnique: { owner_id: bob.id } })],
    ['an array, then $append', () => ({ owner_id: [alice.id], $append: { owner_id: bob.id } })],
    ['$increment', () => ({ $increment: { owner_id: 1 } })],
    ['something inside it', () => ({ $append: { 'owner_id.deep': 1 } })],
  ];

  test.each(changes)('by %s', async (_how, change) => {
    for (const caller of [alice.client, bob.client, stage.anonymous]) {
      expect([400, 403]).toContain((await caller.patch(`${path}/${mine}`, change())).status);
      const updates = [{ id: mine, ...change() }];
      expect([400, 403]).toContain((await caller.post(`${path}/batch-update`, { updates })).status);
    }
    expect((await succeed(stage.api.get(`${path}/${mine}`))).owner_id).toBe(alice.id);
  });

  test('a PUT keeps it, may repeat it, and may not change it', async () => {
    const at = `${path}/${mine}`;
    expect(await succeed(bob.client.put(at, { n: 2 }))).toMatchObject({ n: 2, owner_id: alice.id });
    expect(await succeed(bob.client.put(at, { n: 3, owner_id: alice.id }))).toMatchObject({
      owner_id: alice.id,
    });
    for (const owner_id of [bob.id, null, [alice.id], { id: alice.id }])
      expect(await bob.client.put(at, { owner_id })).toFailWith(403, 'field_protected');
  });

  test('a document without an owner gets none', async () => {
    const { id } = await stage.document(path.split('/')[2]!, { n: 1 });
    expect(await alice.client.patch(`${path}/${id}`, { owner_id: alice.id })).toFailWith(
      403,
      'field_protected',
    );
    expect(await alice.client.put(`${path}/${id}`, { owner_id: alice.id })).toFailWith(
      403,
      'field_protected',
    );
    expect(await succeed(alice.client.put(`${path}/${id}`, { n: 2 }))).not.toHaveProperty('owner_id');
  });

  test('the API key changes it', async () => {
    const { id } = await succeed(alice.client.post(path, {}));
    expect((await succeed(stage.api.patch(`${path}/${id}`, { owner_id: bob.id }))).owner_id).toBe(bob.id);
    expect(await succeed(stage.api.put(`${path}/${id}`, {}))).not.toHaveProperty('owner_id');
  });
});

test('an array of owners lets each of them in', async () => {
  const collection = await stage.collection({ rules: { read: 'owner' }, ownerField: 'owner_ids' });
  const { id } = await stage.document(collection, { owner_ids: [alice.id, bob.id] });
  const cleo = await stage.person();
  const statuses = [alice, bob, cleo].map(({ client }) =>
    outcome(client.get(`/collections/${collection}/${id}`)),
  );
  expect(await Promise.all(statuses)).toEqual(['200', '200', '404 document_not_found']);
});

test.each(['id', 'createdAt', 'updatedAt', '__proto__', 'constructor', 'prototype', 'a.b', '$owner', ''])(
  'D6, D7: the owner cannot be in "%s"',
  async (ownerField) => {
    const reply = await stage.api.patch(path, { settings: { ownerField } });
    expect(reply).toFailWith(400, 'invalid_body');
  },
);
