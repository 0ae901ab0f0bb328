// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { type Person, Stage, succeed } from '../../support/data/stage.ts';
import { canary, hiddenFields, open, secret } from './hidden-world.ts';

let stage: Stage;
let alice: Person;
let collection: string;
let path: string;
let id: string;
let at: string;
beforeAll(async () => {
  stage = await Stage.open();
  alice = await stage.person();
  collection = await stage.collection({ hiddenFields });
  path = `/collections/${collection}`;
  ({ id } = await stage.document(collection, secret(alice.id)));
  at = `${path}/${id}`;
});
afterAll(() => stage[Symbol.asyncDispose]());

const callers = (): Client[] => [stage.anonymous, alice.client];

test('hidden fields are in no answer but those to the API key', async () => {
  for (const caller of callers()) {
    const answers = [
      await caller.get(path),
      await caller.get(at),
      await caller.patch(at, { title: 'T' }),
      await caller.put(at, open),
      await caller.post(`${path}/batch-update`, { updates: [{ id, title: 'T' }] }),
      await caller.get(`${path}?select=title,profile,deep`),
    ];
    for (const { status, text } of answers) {
      expect(status, text).toBe(200);
      expect(text).not.toContain(canary);
      expect(text).not.toContain(alice.id);
      expect(text).toMatch(/"name": ?"Ada"/);
    }
    expect(answers[1]!.body.data).toEqual({ ...answers[1]!.body.data, ...open });
  }
  expect(await succeed(stage.api.get(at))).toMatchObject(secret(alice.id));
});

test('nor where the document is linked', async () => {
  const others = await stage.collection();
  await stage.document(others, { doc_id: id });
  for (const caller of callers()) {
    const { status, text } = await caller.get(
      `/collections/${others}?populate=doc.boss&populate=doc.profile`,
    );
    expect(status).toBe(200);
    expect(text).toMatch(/"name": ?"Ada"/);
    expect(text).not.toContain(canary);
    expect(text).not.toContain(alice.id);
    for (const filter of [
      'doc.pin=1',
      'doc.profile.ssn__startswith=c',
      'doc.boss.role=user',
      'doc.boss_id__isnull=true',
    ])
      expect(await caller.get(`/collections/${others}?${filter}`), filter).toFailWith(
        400,
        'field_not_readable',
      );
  }
});

describe('Q9: a hidden field cannot be used in a query', () => {
  test.each([
    'pin=x',
    'pin__ne=x',
    'pin__isnull=true',
    'pin.inner=1',
    'profile.ssn__startswith=c',
    'odd\\.name=x',
    'title__or__pin__contains=c',
    '[or]title=T&[or]pin=x',
    '[or:a]profile.ssn=x',
    'field:pin=x',
    'orderBy=pin',
    'orderBy=title,profile.ssn',
    'orderBy=deep.er.still.x',
    'orderBy=boss.role',
    'select=pin',
    'select=title,pin',
    'select=profile.ssn',
    'select=deep.er.still',
    'populate=boss',
    'populate=boss_id',
    'populate=pin',
    'populate=boss.team',
    'boss.role=user',
    'boss.data.x__ne=1',
    'boss_id.role__isnull=false',
    'boss_id__in=a,b',
  ])('%s', async (query) => {
    for (const caller of callers()) {
      const reply = await caller.get(`${path}?${query}`);
      expect(reply).toFailWith(400, 'field_not_readable');
      expect(reply.text).not.toContain(canary);
    }
    const trusted = await stage.api.get(`${path}?${query}`);
    expect(trusted.body.error?.code).not.toBe('field_not_readable');
  });

  test('the fields around it can be read, and do not reveal it', async () => {
    for (const query of [
      'profile.name=Ada',
      'profile__isnull=false',
      'orderBy=profile',
      'deep.er.seen=1',
      'odd.name=visible',
    ])
      expect((await alice.client.get(`${path}?${query}`)).body.total, query).toBe(1);
    expect((await alice.client.get(`${path}?profile__contains=${canary}`)).body.total).toBe(0);
    expect((await alice.client.get(`${path}?profile=${canary}`)).body.total).toBe(0);
  });
});

test('a rule may look at it', async () => {
  const guarded = await stage.collection({ rules: { read: 'pin=@user.claims.pin' }, hiddenFields: ['pin'] });
  await stage.documents(guarded, [{ pin: 1 }, { pin: 2 }]);
  const keeper = await stage.person({}, { claims: { pin: 2 } });
  const reply = await keeper.client.get(`/collections/${guarded}`);
  expect(reply.body.total).toBe(1);
  expect(reply.text).not.toContain('"pin"');
});

test.each(['id', 'createdAt', 'updatedAt', 'a..b', '', '__proto__', 'a.constructor', '$x'])(
  'what cannot be hidden is refused: "%s"',
  async (field) => {
    const reply = await stage.api.patch(path, { settings: { hiddenFields: [field] } });
    expect(reply).toFailWith(400, 'invalid_body');
  },
);
