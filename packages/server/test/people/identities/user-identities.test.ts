// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, openStage, type Stage } from '../../support/people/identity-stage.ts';
import { newPerson } from '../../support/people/people.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Somebody who can sign in with both providers, and with nothing else. */
async function connected() {
  const account = newAccount();
  await stage.logIn(account);
  const { user } = (await stage.logIn(account, { provider: 'google' })).body;
  return { account, user, at: `/auth-collections/users/${user.id}/identities` };
}

test('the server sees the identities of a user, and removes one; the last only if that is meant', async () => {
  const { api } = stage.t;
  const { account, user, at } = await connected();
  expect((await api.get(at)).body.data).toEqual([
    { provider: 'acme', email: account.email, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    { provider: 'google', email: account.email, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
  const removed = await api.delete(`${at}/acme`);
  expect([removed.status, removed.body.data]).toEqual([200, { provider: 'acme', deleted: true }]);
  expect(await api.delete(`${at}/acme`)).toFailWith(404, 'identity_not_found');
  expect(await api.delete(`${at}/google`)).toFailWith(400, 'last_login_way');
  expect(await api.delete(`${at}/google?even_last=false`)).toFailWith(400, 'last_login_way');
  for (const query of ['even_last=yes', 'even_last=true&even_last=true', 'force=true'])
    expect(await api.delete(`${at}/google?${query}`)).toFailWith(400, 'invalid_query');
  expect((await stage.logIn(account, { provider: 'google' })).body.user.id).toBe(user.id);
  expect((await api.delete(`${at}/google?even_last=true`)).status).toBe(200);
  expect((await api.get(at)).body.data).toEqual([]);
});

test('identities are removed of the user that is named, and of nobody else', async () => {
  const { api } = stage.t;
  const { at } = await connected();
  const other = await newPerson(stage.t);
  const foreign = await newPerson(stage.t, { project: 1 });
  for (const provider of ['acme', 'nobody', '%00', 'x'.repeat(300)])
    expect(
      await api.delete(`/auth-collections/users/${other.id}/identities/${provider}?even_last=true`),
    ).toFailWith(404, 'identity_not_found');
  for (const id of [foreign.id, 'x'])
    expect(await api.get(`/auth-collections/users/${id}/identities`)).toFailWith(404, 'user_not_found');
  expect((await api.get(at)).body.data).toHaveLength(2);
});
