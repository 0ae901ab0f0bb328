// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { answerText, outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  stage = await Stage.open();
  [alice, bob] = await Promise.all([stage.person(), stage.person()]);
});
afterAll(() => stage[Symbol.asyncDispose]());

const signIn = '401 credential_required';
const denied = '403 rule_denied';
const missing = '404 document_not_found';

type Action = 'read' | 'create' | 'update' | 'delete';

/** A collection with a live document of Alice's and a draft of Bob's. */
async function scene(rules: Partial<Record<Action, string>>) {
  const collection = await stage.collection({ rules, ownerField: 'owner_id' });
  const [mine, theirs] = await stage.documents(collection, [
    { status: 'live', owner_id: alice.id },
    { status: 'draft', owner_id: bob.id },
  ]);
  const path = `/collections/${collection}`;
  return { path, mine: `${path}/${mine!.id}`, theirs: `${path}/${theirs!.id}` };
}

/** The callers in the order of the tables: someone without a credential, then Alice. */
const callers = (): Client[] => [stage.anonymous, alice.client];

async function listOutcome(caller: Client, path: string): Promise<string> {
  const reply = await caller.get(path);
  return reply.status === 200 ? `200 of ${reply.body.total}` : outcome(Promise.resolve(reply));
}

describe('reading: the list, Alice’s live document, Bob’s draft', () => {
  test.each([
    ['locked', [signIn, signIn, signIn], [denied, missing, missing]],
    ['public', ['200 of 2', '200', '200'], ['200 of 2', '200', '200']],
    ['users', [signIn, signIn, signIn], ['200 of 2', '200', '200']],
    ['owner', [signIn, signIn, signIn], ['200 of 1', '200', missing]],
    ['status=live', ['200 of 1', '200', missing], ['200 of 1', '200', missing]],
    ['owner_id=@user.id', ['200 of 0', missing, missing], ['200 of 1', '200', missing]],
    ['[or]status=draft&[or]owner_id=@user.id', ['200 of 1', missing, '200'], ['200 of 2', '200', '200']],
  ])('read: %s', async (read, ...expected) => {
    const { path, mine, theirs } = await scene({ read });
    for (const [at, caller] of callers().entries()) {
      const seen = [
        await listOutcome(caller, path),
        await outcome(caller.get(mine)),
        await outcome(caller.get(theirs)),
      ];
      expect(seen).toEqual(expected[at]);
    }
    expect(await listOutcome(stage.api, path)).toBe('200 of 2');
    const both = { headers: { 'x-api-key': stage.t.projects[0].apiKey } };
    expect(await outcome(bob.client.get(mine, both))).toBe('200');
  });
});

describe.each(['update', 'delete'] as const)('%s: Alice’s live document, Bob’s draft', (action) => {
  const act = (caller: Client, path: string) =>
    outcome(action === 'delete' ? caller.delete(path) : caller.patch(path, { seen: true }));

  test.each([
    ['locked', [signIn, signIn], [denied, denied]],
    ['public', ['200', '200'], ['200', '200']],
    ['users', [signIn, signIn], ['200', '200']],
    ['owner', [signIn, signIn], ['200', denied]],
    ['status=live', ['200', denied], ['200', denied]],
    ['owner_id=@user.id', [denied, denied], ['200', denied]],
  ])('rule %s, where everyone may read', async (rule, ...expected) => {
    for (const [at, caller] of callers().entries()) {
      const { mine, theirs } = await scene({ [action]: rule });
      expect([await act(caller, mine), await act(caller, theirs)]).toEqual(expected[at]);
      expect(await outcome(stage.api.get(theirs))).toBe(
        expected[at]![1] === '200' && action === 'delete' ? missing : '200',
      );
    }
  });

  test('what the caller may not read is not there', async () => {
    const { path, theirs } = await scene({ read: 'owner' });
    expect(await act(alice.client, theirs)).toBe(missing);
    const never = theirs.replace(/....$/, '0000');
    const texts = await Promise.all(
      [theirs, never].map(async (at) => {
        const reply = await (action === 'delete' ? alice.client.delete(at) : alice.client.put(at, { a: 1 }));
        return answerText(reply).replaceAll(at.slice(path.length + 1), '…');
      }),
    );
    expect(texts[0], 'Q11').toBe(texts[1]);
    expect(await outcome(stage.api.get(theirs))).toBe('200');
  });
});

describe('creating', () => {
  const bodies = [{ status: 'live' }, { status: 'draft' }];
  test.each([
    ['locked', [signIn, signIn], [denied, denied]],
    ['public', ['201', '201'], ['201', '201']],
    ['users', [signIn, signIn], ['201', '201']],
    ['owner', [signIn, signIn], ['201', '201']],
    ['status=live', ['201', denied], ['201', denied]],
    ['status=live&owner_id=@user.id', [denied, denied], ['201', denied]],
  ])('create: %s', async (create, ...expected) => {
    const { path } = await scene({ create });
    for (const [at, caller] of callers().entries()) {
      const before = await listOutcome(stage.api, path);
      const seen = [];
      for (const body of bodies) seen.push(await outcome(caller.post(path, body)));
      expect(seen).toEqual(expected[at]);
      if (!seen.includes('201')) expect(await listOutcome(stage.api, path)).toBe(before);
    }
  });
});

test('a change is checked on the document as it was and as it would become', async () => {
  const { path, mine, theirs } = await scene({ update: 'status=live' });
  for (const change of [alice.client.patch, alice.client.put]) {
    expect(await outcome(change(mine, { status: 'draft' }))).toBe(denied);
    expect(await outcome(change(theirs, { status: 'live' }))).toBe(denied);
    expect(await outcome(change(mine, { status: 'live', seen: 1 }))).toBe('200');
  }
  expect(await outcome(alice.client.patch(mine, { $unset: { status: true } }))).toBe(denied);
  expect(
    (await succeed(stage.api.get(`${path}?orderBy=id`))).map(({ status }: { status: string }) => status),
  ).toEqual(['live', 'draft']);
});

test('someone denied is told that and nothing more', async () => {
  const { path, mine, theirs } = await scene({
    update: 'status=live&level__gt=5',
    delete: 'locked',
    read: 'public',
  });
  const replies = [
    await alice.client.patch(mine, { a: 1 }),
    await alice.client.patch(theirs, { a: 1 }),
    await alice.client.delete(mine),
    await stage.anonymous.delete(theirs),
  ];
  for (const { body } of replies) {
    expect(Object.keys(body.error).toSorted()).toEqual(['code', 'message', 'requestId']);
    expect(body.error.message).not.toMatch(/status|live|level|locked/);
  }
  expect(replies[0]!.body.error.message).toBe(replies[1]!.body.error.message);
  for (const caller of callers())
    expect(await outcome(caller.post(`${path}/explain`, { as: null, action: 'read' }))).toMatch(
      /^401 credential_required|403 api_key_required$/,
    );
});

test('a caller who may not read a collection learns nothing about its fields', async () => {
  const collection = await stage.collection({ rules: { read: 'locked' }, hiddenFields: ['pin'] });
  const { id } = await stage.document(collection, { pin: 1, friend_id: alice.id });
  for (const query of [
    'pin=1',
    'select=pin',
    'populate=pin',
    'orderBy=friend.role',
    'friend.email=a',
    'a__bogus=1',
  ]) {
    const path = `/collections/${collection}`;
    expect(await outcome(stage.anonymous.get(`${path}?${query}`)), query).toBe(signIn);
    expect(await outcome(alice.client.get(`${path}?${query}`)), query).toBe(denied);
    expect(await outcome(stage.anonymous.get(`${path}/${id}?${query}`)), query).toBe(signIn);
    expect(await outcome(alice.client.get(`${path}/${id}?${query}`)), query).toBe(missing);
  }
});

test('someone without a credential is not told which collections there are', async () => {
  const locked = await stage.collection({ rules: { read: 'locked', create: 'locked' } });
  const ask = async (name: string) => [
    answerText(await stage.anonymous.get(`/collections/${name}`)),
    answerText(await stage.anonymous.post(`/collections/${name}`, {})),
  ];
  expect(await ask(locked)).toEqual(await ask('nosuchcollection'));
});

test('rules follow the record of the user as it is now', async () => {
  const collection = await stage.collection({ rules: { read: 'level=@user.claims.level&for=@user.role' } });
  await stage.document(collection, { level: 3, for: 'admin' });
  const cleo = await stage.person();
  const total = async () => (await cleo.client.get(`/collections/${collection}`)).body.total;
  expect(await total()).toBe(0);
  await succeed(
    stage.api.patch(`/auth-collections/users/${cleo.id}`, { role: 'admin', claims: { level: 3 } }),
  );
  expect(await total()).toBe(1);
  await succeed(stage.api.patch(`/auth-collections/users/${cleo.id}`, { claims: { level: '3' } }));
  expect(await total()).toBe(0);
});
