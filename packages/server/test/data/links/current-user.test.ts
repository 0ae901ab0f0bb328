// @tables own moving
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  stage = await Stage.open();
  [ada, bob] = await Promise.all([
    stage.person({ name: 'Ada' }),
    stage.person({ name: 'Bob', private: { pin: 7 } }),
  ]);
});
afterAll(() => stage[Symbol.asyncDispose]());

const profileOf = async ({ id }: Person) => succeed(stage.anonymous.get(`/auth-collections/users/${id}`));

test('followers and following of the signed-in user are populated as public profiles', async () => {
  const data = { followers_ids: [bob.id], following_ids: [bob.id, ada.id], private: { note: 'mine' } };
  await succeed(ada.client.patch('/auth-collections/user', { data }));
  const me = await succeed(
    ada.client.get('/auth-collections/user?populate=followers_ids&populate=following_ids'),
  );
  expect(me.data).toEqual({
    name: 'Ada',
    followers_ids: [await profileOf(bob)],
    following_ids: [await profileOf(bob), await profileOf(ada)],
    private: { note: 'mine' },
  });
  expect(me.email).toMatch(/@example\.com$/);
  expect(JSON.stringify(me)).not.toContain('"pin"');
});

test('names, nested paths and the operators work there as in documents', async () => {
  const firms = await stage.collection();
  const firm = await stage.document(firms, { name: 'Firm' });
  await succeed(bob.client.patch('/auth-collections/user', { data: { firm_id: firm.id } }));
  await succeed(ada.client.patch('/auth-collections/user', { data: { $append: { friend_ids: bob.id } } }));
  const me = await succeed(ada.client.get('/auth-collections/user?populate=friends.firm'));
  expect(me.data.friends).toMatchObject([{ id: bob.id, data: { firm } }]);
  expect(me.data.friend_ids).toEqual([bob.id]);
  expect(await ada.client.get('/auth-collections/user?populate=a.b.c.d.e.f')).toFailWith(
    400,
    'invalid_query',
  );
});

test('what the user may not read is null there too, and left out of arrays', async () => {
  const secrets = await stage.collection({ rules: { read: 'locked' } });
  const { id } = await stage.document(secrets, { pin: 1 });
  await succeed(ada.client.patch('/auth-collections/user', { data: { one_id: id, all_ids: [id, bob.id] } }));
  const me = await succeed(ada.client.get('/auth-collections/user?populate=one&populate=alls'));
  expect(me.data).toMatchObject({ one_id: id, one: null, alls: [{ id: bob.id }] });
  expect(me.data.alls).toHaveLength(1);
});

test('the API key beside the token shows linked users in full', async () => {
  const both = { headers: { 'x-api-key': stage.t.projects[0].apiKey } };
  await succeed(ada.client.patch('/auth-collections/user', { data: { followers_ids: [bob.id] } }));
  const me = await succeed(ada.client.get('/auth-collections/user?populate=followers_ids', both));
  expect(me.data.followers_ids).toMatchObject([
    { id: bob.id, data: { private: { pin: 7 } }, email: expect.any(String) },
  ]);
});
