// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, outcome, refused, type Stage } from '../../support/people/passkeys.ts';
import { newPerson } from '../../support/people/people.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test('the server sees the passkeys of a user, and removes one; the last way in only if that is meant', async () => {
  const { api, cells, projects } = stage.t;
  const { person, device, id } = await stage.personWithPasskey();
  const at = `/auth-collections/users/${person.id}/passkeys`;
  const { body } = await api.get(at);
  expect(body.data).toEqual((await person.me.get('/auth-collections/passkeys')).body.data);
  expect(body.data).toMatchObject([{ id, lastUsedAt: null }]);
  const other = await newPerson(stage.t);
  const elsewhere = `/auth-collections/users/${other.id}/passkeys/${id}?even_last=true`;
  expect(await api.delete(elsewhere)).toFailWith(404, 'passkey_not_found');
  await cells
    .pool(projects[0].cell)
    .query('UPDATE cell.app_user_secrets SET password_hash = NULL WHERE user_id = $1', [person.id]);
  expect(await api.delete(`${at}/${id}`)).toFailWith(400, 'last_login_way');
  expect((await stage.signIn(device)).status).toBe(200);
  const removed = await api.delete(`${at}/${id}?even_last=true`);
  expect([removed.status, removed.body.data]).toEqual([200, { id, deleted: true }]);
  expect(await api.delete(`${at}/${id}`)).toFailWith(404, 'passkey_not_found');
  expect(outcome(await stage.signIn(device))).toEqual(refused);
});
