// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAccount, openStage, type Stage } from '../../support/people/identity-stage.ts';
import { bearing, doorOf, newEmail, newPerson } from '../../support/people/people.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Somebody who signed up with a password, and whether the address is verified. */
async function newcomer(isVerified: boolean, email = newEmail()) {
  const person = await newPerson(stage.t, { email });
  if (isVerified) await stage.t.api.patch(`/auth-collections/users/${person.id}`, { email_verified: true });
  return person;
}

const identitiesOf = async (token: string) =>
  (await bearing(stage.t, token).get('/auth-collections/identities')).body.data;

describe('O4: a provider’s identity and an account with the same e-mail address', () => {
  test('join when the provider vouches for the address and the account has verified it', async () => {
    const person = await newcomer(true);
    const reply = await stage.logIn(newAccount({ email: person.email.toUpperCase() }));
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.user).toMatchObject({ id: person.id, email: person.email, data: {} });
    expect(await identitiesOf(person.token)).toMatchObject([{ provider: 'acme' }]);
    // The password goes on to work.
    const { email, password } = person;
    expect((await doorOf(stage.t).post('/auth-collections/login', { email, password })).status).toBe(200);
  });

  test.each([
    ['the account has not verified it', false, true],
    ['the provider does not vouch for it', true, false],
    ['neither does', false, false],
    ['the provider says nothing about it', true, undefined],
    ['the provider says so in another type', true, 1],
    ['the provider says so in other words', true, 'yes'],
  ])('do not join when %s', async (_why, isVerified, said) => {
    const person = await newcomer(isVerified);
    const account = newAccount({ email: person.email, email_verified: said as boolean });
    for (let times = 0; times < 2; times += 1)
      expect(await stage.logIn(account, { pkce: times === 1 })).toFailWith(400, 'email_taken');
    expect(await identitiesOf(person.token)).toEqual([]);
    const { body } = await stage.t.api.get(`/auth-collections/users/${person.id}`);
    expect([body.data.email_verified, body.data.data]).toEqual([isVerified, {}]);
  });

  test('do not join in another project', async () => {
    const person = await newcomer(true);
    const reply = await stage.logIn(newAccount({ email: person.email }), { project: 1 });
    expect(reply.status).toBe(200);
    expect(reply.body.user.id).not.toBe(person.id);
  });
});

test('O4: an address that nobody vouches for makes an account that is not verified', async () => {
  const account = newAccount({ email_verified: false });
  const { body } = await stage.logIn(account);
  expect(body.user).toMatchObject({ email: account.email, email_verified: false });
  expect((await stage.logIn(account)).body.user.id).toBe(body.user.id);
  // Somebody else at the provider with the same address does not get in.
  const other = newAccount({ email: account.email!, email_verified: false });
  expect(await stage.logIn(other)).toFailWith(400, 'email_taken');
  const vouched = newAccount({ email: account.email! });
  expect(await stage.logIn(vouched)).toFailWith(400, 'email_taken');
});

test('O4: who made an account with a foreign address loses it once its owner sets a password', async () => {
  const account = newAccount({ email_verified: false });
  const { user, access_token: token } = (await stage.logIn(account)).body;
  // What a reset of the password does, for which the mailbox is needed.
  await stage.t.api.patch(`/auth-collections/users/${user.id}`, {
    password: 'the owner’s own',
    email_verified: true,
  });
  expect((await bearing(stage.t, token).get('/auth-collections/user')).status).toBe(401);
  expect(await stage.logIn(account)).toFailWith(400, 'email_taken');
  // The owner may use the provider, if the provider says that the address is the owner's.
  const owner = newAccount({ email: account.email! });
  expect((await stage.logIn(owner)).body.user.id).toBe(user.id);
  expect(await stage.logIn(account)).toFailWith(400, 'email_taken');
  // So may the one who was there first, once the provider says so.
  expect((await stage.logIn({ ...account, email_verified: true })).body.user.id).toBe(user.id);
  expect((await stage.logIn(account)).body.user.id).toBe(user.id);
});
