// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, openStage, type Stage } from '../../support/people/identity-stage.ts';
import { bearing, newPerson } from '../../support/people/people.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Somebody who can sign in with both providers. */
async function connected() {
  const account = newAccount();
  await stage.logIn(account);
  const { user, access_token: token } = (await stage.logIn(account, { provider: 'google' })).body;
  return { account, user, me: bearing(stage.t, token) };
}

test('a user sees its own identities and no others', async () => {
  const { account, me } = await connected();
  await stage.logIn(newAccount());
  const { status, body } = await me.get('/auth-collections/identities');
  expect(status).toBe(200);
  expect(body.data).toEqual([
    { provider: 'acme', email: account.email, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    { provider: 'google', email: account.email, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
  expect((await (await newPerson(stage.t)).me.get('/auth-collections/identities')).body.data).toEqual([]);
  expect(await me.get('/auth-collections/identities?limit=1')).toFailWith(400, 'invalid_query');
});

test('a user disconnects a provider, but not the last one while it has no password', async () => {
  const { me, user, account } = await connected();
  const { status, body } = await me.delete('/auth-collections/identities/acme');
  expect([status, body.data]).toEqual([200, { provider: 'acme', deleted: true }]);
  expect(await me.delete('/auth-collections/identities/acme')).toFailWith(404, 'identity_not_found');
  expect(await me.delete('/auth-collections/identities/google')).toFailWith(400, 'last_login_way');
  expect((await stage.logIn(account, { provider: 'google' })).body.user.id).toBe(user.id);
  await stage.t.api.patch(`/auth-collections/users/${user.id}`, { password: 'correct horse' });
  const again = bearing(stage.t, (await stage.logIn(account, { provider: 'google' })).body.access_token);
  expect((await again.delete('/auth-collections/identities/google')).status).toBe(200);
  expect((await again.get('/auth-collections/identities')).body.data).toEqual([]);
});

test('two disconnections at once leave one way to log in', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { me } = await connected();
    const replies = await Promise.all(
      ['acme', 'google'].map((provider) => me.delete(`/auth-collections/identities/${provider}`)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await me.get('/auth-collections/identities')).body.data).toHaveLength(1);
  }
});

test('nobody can disconnect the identity of somebody else', async () => {
  const { me } = await connected();
  const other = await newPerson(stage.t);
  for (const provider of ['acme', 'google', 'nobody', '%00', 'x'.repeat(300)]) {
    const reply = await other.me.delete(`/auth-collections/identities/${provider}`);
    expect(reply, provider).toFailWith(404, 'identity_not_found');
  }
  expect((await me.get('/auth-collections/identities')).body.data).toHaveLength(2);
});
