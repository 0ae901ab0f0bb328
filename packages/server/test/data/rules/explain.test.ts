// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let alice: Person;
let bob: Person;
let collection: string;
let path: string;
let mine: string;
let theirs: string;
beforeAll(async () => {
  stage = await Stage.open();
  [alice, bob] = await Promise.all([stage.person({}, { claims: { level: 3 } }), stage.person()]);
  collection = await stage.collection({
    rules: {
      read: '[or]status=live&[or]owner_id=@user.id',
      create: 'owner',
      update: 'owner_id=@user.id&level__lte=@user.claims.level',
      delete: 'locked',
    },
    ownerField: 'owner_id',
    hiddenFields: ['pin'],
  });
  path = `/collections/${collection}`;
  const made = await stage.documents(collection, [
    { status: 'live', level: 2, owner_id: alice.id },
    { status: 'draft', level: 5, owner_id: bob.id },
  ]);
  [mine, theirs] = made.map(({ id }) => id) as [string, string];
});
afterAll(() => stage[Symbol.asyncDispose]());

const explain = (body: object) => succeed(stage.api.post(`${path}/explain`, body));

describe('reading', () => {
  test('a document that a user may not read: each condition, what it found and what it compared with', async () => {
    expect(await explain({ as: alice.id, action: 'read', id: theirs })).toEqual({
      allowed: false,
      reason: 'rules.read: Not met: status=live; owner_id=@user.id.',
      verdicts: [
        {
          action: 'read',
          rule: '[or]status=live&[or]owner_id=@user.id',
          allowed: false,
          reason: 'Not met: status=live; owner_id=@user.id.',
          conditions: [
            { condition: 'status=live', passed: false, found: 'draft', comparedWith: 'live' },
            { condition: 'owner_id=@user.id', passed: false, found: bob.id, comparedWith: alice.id },
          ],
        },
      ],
    });
  });

  test('someone not signed in has no value to compare with', async () => {
    const { allowed, verdicts } = await explain({ as: null, action: 'read', id: theirs });
    expect(allowed).toBe(false);
    expect(verdicts[0].conditions[1]).toEqual({
      condition: 'owner_id=@user.id',
      passed: false,
      found: bob.id,
      comparedWith: null,
    });
    expect((await explain({ as: null, action: 'read', id: mine })).allowed).toBe(true);
  });

  test('a document that could be', async () => {
    expect((await explain({ as: null, action: 'read', document: { status: 'live' } })).allowed).toBe(true);
    const absent = await explain({ as: null, action: 'read', document: {} });
    expect(absent.allowed).toBe(false);
    expect(absent.verdicts[0].conditions[0]).toEqual({
      condition: 'status=live',
      passed: false,
      comparedWith: 'live',
    });
  });

  test('a list: the rule narrows it, and a query that touches too much is refused', async () => {
    const list = await explain({ as: bob.id, action: 'read', query: 'status=live' });
    expect(list).toMatchObject({ allowed: true, reason: expect.stringContaining('only contains documents') });
    const refused = await stage.api.post(`${path}/explain`, { as: bob.id, action: 'read', query: 'pin=1' });
    expect(refused.body.error).toMatchObject({ code: 'field_not_readable', details: { parameter: 'pin' } });
  });
});

describe('writing', () => {
  test('create: the owner is set as it would be', async () => {
    expect(await explain({ as: alice.id, action: 'create', document: { a: 1 } })).toMatchObject({
      allowed: true,
    });
    expect((await succeed(alice.client.post(path, { a: 1 }))).owner_id).toBe(alice.id);
    expect(await explain({ as: null, action: 'create', document: {} })).toMatchObject({
      allowed: false,
      reason: 'rules.create: "owner" needs a signed-in user.',
    });
  });

  test('update: what it was and what it would become', async () => {
    const allowed = await explain({ as: alice.id, action: 'update', id: mine, document: { level: 3 } });
    expect(allowed.allowed).toBe(true);
    expect(allowed.verdicts.map(({ action }: { action: string }) => action)).toEqual([
      'read',
      'update',
      'update',
    ]);
    const tooHigh = await explain({
      as: alice.id,
      action: 'update',
      id: mine,
      document: { $increment: { level: 2 } },
    });
    expect(tooHigh).toMatchObject({
      allowed: false,
      reason: 'rules.update: Not met: level__lte=@user.claims.level.',
    });
    expect(tooHigh.verdicts[1].allowed).toBe(true);
    expect(tooHigh.verdicts[2].conditions[1]).toEqual({
      condition: 'level__lte=@user.claims.level',
      passed: false,
      found: 4,
      comparedWith: 3,
    });
    expect(await alice.client.patch(`${path}/${mine}`, { level: 4 })).toFailWith(403, 'rule_denied');
  });

  test('update of what cannot be read is decided by reading', async () => {
    const verdict = await explain({ as: alice.id, action: 'update', id: theirs });
    expect(verdict).toMatchObject({ allowed: false, reason: expect.stringMatching(/^rules\.read: /) });
    expect(await alice.client.patch(`${path}/${theirs}`, {})).toFailWith(404, 'document_not_found');
  });

  test('delete: locked', async () => {
    const verdict = await explain({ as: alice.id, action: 'delete', id: mine });
    expect(verdict).toMatchObject({
      allowed: false,
      reason: 'rules.delete: "locked": only the API key has access.',
    });
  });
});

test('conditions through a link, on times and on lists', async () => {
  const rules = { read: 'owner.role=admin&createdAt__lt=2020-01-01&status__in=live,@user.data.list' };
  const other = await stage.collection({ rules });
  const { id } = await stage.document(other, { owner_id: bob.id, status: 'draft' });
  const verdict = await succeed(
    stage.api.post(`/collections/${other}/explain`, { as: bob.id, action: 'read', id }),
  );
  expect(verdict.allowed).toBe(false);
  const [linked, time, list] = verdict.verdicts[0].conditions;
  expect(linked).toMatchObject({ condition: 'owner.role=admin', passed: false, comparedWith: 'admin' });
  expect(time).toMatchObject({ passed: false, comparedWith: '2020-01-01', found: expect.anything() });
  expect(list).toMatchObject({ passed: false, found: 'draft', comparedWith: null });
  await succeed(bob.client.patch('/auth-collections/user', { data: { list: ['draft', 5] } }));
  const later = await succeed(
    stage.api.post(`/collections/${other}/explain`, { as: bob.id, action: 'read', id }),
  );
  expect(later.verdicts[0].conditions[2]).toMatchObject({ passed: true, comparedWith: ['live', 'draft', 5] });
});

test('who or what is not there is named as such', async () => {
  const ask = (body: object) => outcome(stage.api.post(`${path}/explain`, body));
  for (const as of ['nonsense', newId(0), mine])
    expect(await ask({ as, action: 'read' })).toBe('404 user_not_found');
  for (const id of ['nonsense', newId(1), alice.id])
    expect(await ask({ as: null, action: 'read', id })).toBe('404 document_not_found');
  expect(await ask({ as: null, action: 'list' })).toBe('400 invalid_body');
  expect(await ask({ action: 'read' })).toBe('400 invalid_body');
  expect(await ask({ as: null, action: 'read', query: 'a__bogus=1' })).toBe('400 invalid_query');
});
