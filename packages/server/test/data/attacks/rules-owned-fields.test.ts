// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let alice: Person;
let collection: string;
let path: string;
beforeAll(async () => {
  stage = await Stage.open();
  alice = await stage.person();
  collection = await stage.collection({ ownerField: 'owner_id' });
  path = `/collections/${collection}`;
});
afterAll(() => stage[Symbol.asyncDispose]());

const long = '2001-01-01T00:00:00.000Z';
const owned = (id: string) => [
  { id, createdAt: long, updatedAt: long },
  { id: null, createdAt: null, updatedAt: null },
  { id: 0, createdAt: 0, updatedAt: 0 },
];

describe('D7: what the service owns is ignored in every body', () => {
  test('of documents', async () => {
    const other = await stage.document(collection, { n: 'other' });
    for (const fields of owned(other.id)) {
      // A new document may name an id of its collection, but not one that is taken: it is refused, not overwritten.
      const given = { ...fields, n: 1, ...(fields.id === other.id && { id: alice.id }) };
      if (fields.id === other.id)
        expect(await alice.client.post(path, { ...fields, n: 1 })).toFailWith(400, 'id_taken');
      const made = [
        await succeed(alice.client.post(path, given)),
        ...(await succeed(alice.client.post(`${path}/batch`, { documents: [given] }))),
      ];
      for (const document of made) {
        expect(document.id).not.toBe(other.id);
        expect(document.createdAt).not.toBe(long);
        expect(document.updatedAt).toBe(document.createdAt);
        const at = `${path}/${document.id}`;
        const replies = [
          await succeed(alice.client.patch(at, { ...fields, n: 2 })),
          await succeed(alice.client.put(at, { ...fields, n: 2 })),
          ...(await succeed(
            alice.client.post(`${path}/batch-update`, { updates: [{ ...fields, id: document.id, n: 2 }] }),
          )),
        ];
        for (const changed of replies) {
          expect(changed).toMatchObject({ id: document.id, createdAt: document.createdAt, n: 2 });
          expect(changed.updatedAt > document.updatedAt).toBe(true);
        }
        expect(await succeed(stage.api.get(at))).toEqual(replies.at(-1));
      }
    }
    expect(await succeed(stage.api.get(`${path}/${other.id}`))).toEqual(other);
  });

  test('and in operators it is refused', async () => {
    const { id } = await stage.document(collection, {});
    for (const field of ['id', 'createdAt', 'updatedAt', 'createdAt.x'])
      for (const operator of ['$unset', '$append', '$increment'])
        expect(await alice.client.patch(`${path}/${id}`, { [operator]: { [field]: 1 } })).toFailWith(
          400,
          'invalid_operator',
        );
  });

  test('names of the service’s tables are fields like any other, and reach nothing', async () => {
    const fields = {
      project_id: 1,
      collection: 2,
      version: 99,
      data: { a: 1 },
      updated_at: 5,
      email_verified: true,
    };
    const made = await alice.client.post(path, fields);
    expect(made.body.data).toMatchObject(fields);
    expect(made.headers.get('etag')).toBe('"1"');
    expect((await stage.api.get(`${path}?version=99&project_id=1&data.a=1`)).body.total).toBe(1);
  });
});

describe('D7: a user cannot give itself what the server gives', () => {
  const secrets = {
    claims: { level: 9 },
    email_verified: true,
    suspended: false,
    id: 'x',
    phone: '+2348000000000',
  };

  test('at sign-up or in a change', async () => {
    for (const [name, value] of Object.entries(secrets)) {
      const body = { email: `${name}@example.com`, password: 'correct horse battery', [name]: value };
      expect(await stage.anonymous.post('/auth-collections/signup', body), name).toFailWith(
        400,
        'invalid_body',
      );
      expect(await alice.client.patch('/auth-collections/user', { [name]: value }), name).toFailWith(
        400,
        'invalid_body',
      );
    }
    expect(await alice.client.patch(`/auth-collections/users/${alice.id}`, secrets)).toFailWith(
      403,
      'api_key_required',
    );
  });

  test('in its data, where a rule would trust it', async () => {
    const guarded = await stage.collection({
      rules: { read: 'level=@user.claims.level&ok=@user.email_verified' },
    });
    await stage.document(guarded, { level: 9, ok: true });
    const data = { ...secrets, user: { claims: { level: 9 } }, 'claims.level': 9, role: 'admin' };
    const me = await succeed(alice.client.patch('/auth-collections/user', { data }));
    expect(me).toMatchObject({ claims: {}, email_verified: false, role: 'user', id: alice.id });
    for (const operator of ['$append', '$increment'])
      await alice.client.patch('/auth-collections/user', { data: { [operator]: { '../claims.level': 9 } } });
    expect((await alice.client.get(`/collections/${guarded}`)).body.total).toBe(0);
    expect((await succeed(alice.client.get('/auth-collections/user'))).claims).toEqual({});
  });
});
