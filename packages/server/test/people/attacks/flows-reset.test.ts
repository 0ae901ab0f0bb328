// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { setTwoStepChoice } from '../../../src/features/control/projects/index.ts';
import type { Client, Reply } from '../../support/client.ts';
import { codeIn, tokenIn } from '../../support/mail-server.ts';
import {
  atOnce,
  doorAt,
  type FlowProject,
  flowProject,
  giveAuthenticator,
  logInAt,
  newPhone,
  signUpAt,
  statuses,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail, type Person, statusOf } from '../../support/people/people.ts';

const t = useMailApp();
let project: FlowProject;
let elsewhere: FlowProject;
beforeAll(async () => {
  project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true, ENABLE_PHONE_LOGIN: true } });
  elsewhere = await flowProject(t);
});

const forgot = (email: string, door = project.door) =>
  door.post('/auth-collections/forgot-password', { email });
const reset = (token: string, newPassword = 'another horse', door: Client = project.door) =>
  door.post('/auth-collections/reset-password', { token, new_password: newPassword });
const verify = (token: string, door: Client = project.door) =>
  door.post('/auth-collections/verify-email', { token });

async function resetTokenFor(email: string): Promise<string> {
  expect((await forgot(email)).status).toBe(200);
  return tokenIn(await t.mail.mailTo(email, 'Reset'));
}
const verificationTokenFor = async (email: string) => tokenIn(await t.mail.mailTo(email, 'Confirm'));

const isDead = (reply: Reply) => expect(reply).toFailWith(400, 'invalid_token');

const sendCode = (phone: string) =>
  project.door.post('/auth-collections/phone/send-code', { phone, channel: 'email' });

describe('A5: a reset token', () => {
  test('A5: of 50 at once exactly one is 200, and its password is the one that counts', async () => {
    const person = await signUpAt(t, project);
    const token = await resetTokenFor(person.email);
    const replies = await atOnce(50, (n) => reset(token, `new password ${n}`));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 49 });
    const winner = replies.findIndex(({ status }) => status === 200);
    const logins = await Promise.all(
      [winner, (winner + 1) % 50].map((n) =>
        logInAt(project.door, { email: person.email, password: `new password ${n}` }),
      ),
    );
    expect(logins.map(({ status }) => status)).toEqual([200, 401]);
    isDead(await reset(token));
  });

  const deaths: Record<string, (person: Person) => Promise<unknown>> = {
    'after the password was changed': ({ me, password }) =>
      me.post('/auth-collections/change-password', { old_password: password, new_password: 'second horse' }),
    'after the server set a password': ({ id }) =>
      project.api.patch(`/auth-collections/users/${id}`, { password: 'second horse' }),
    'after the user changed its e-mail address': ({ me, password }) =>
      me.patch('/auth-collections/user', { email: newEmail(), password }),
    'after the server changed the e-mail address': ({ id }) =>
      project.api.patch(`/auth-collections/users/${id}`, { email: newEmail() }),
    'past its hour': ({ id }) =>
      project.pool.query(
        `UPDATE cell.one_time_tokens SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
        [id],
      ),
    'once the user is deleted': ({ id }) => project.api.delete(`/auth-collections/users/${id}`),
  };
  test.each(Object.keys(deaths))('A5: is dead %s', async (when) => {
    const person = await signUpAt(t, project);
    const token = await resetTokenFor(person.email);
    await deaths[when]!(person);
    isDead(await reset(token, 'the thief’s horse'));
    const { rows } = await project.pool.query('SELECT FROM cell.app_users WHERE id = $1', [person.id]);
    const email = newEmail();
    if (rows.length === 0) return;
    await project.api.patch(`/auth-collections/users/${person.id}`, { email });
    expect((await logInAt(project.door, { email, password: 'the thief’s horse' })).status).toBe(401);
  });

  test('A5: lasts an hour, and a verification token a day', async () => {
    const person = await signUpAt(t, project);
    await resetTokenFor(person.email);
    const { rows } = await project.pool.query<{ purpose: string; lasts: number }>(
      `SELECT purpose, extract(epoch FROM expires_at - created_at)::int AS lasts FROM cell.one_time_tokens
       WHERE user_id = $1 ORDER BY purpose`,
      [person.id],
    );
    expect(rows).toEqual([
      { purpose: 'reset', lasts: 3600 },
      { purpose: 'verification', lasts: 86_400 },
    ]);
  });

  test('A5: is valid for nothing else, and in no other project', async () => {
    const person = await signUpAt(t, project);
    const verification = await verificationTokenFor(person.email);
    const token = await resetTokenFor(person.email);
    isDead(await reset(verification));
    isDead(await verify(token));
    isDead(await reset(token, 'another horse', elsewhere.door));
    isDead(await verify(verification, elsewhere.door));
    const exchange = { code: token, redirect_uri: 'https://app.example.com' };
    isDead(await project.door.post('/auth-collections/exchange', exchange));
    // None of this has used them up.
    expect((await verify(verification)).status).toBe(200);
    expect((await reset(token)).status).toBe(200);
  });

  test('A5: a verification token verifies the address that it was sent to, and no later one', async () => {
    const changes: ((person: Person) => Promise<unknown>)[] = [
      ({ me, password }) => me.patch('/auth-collections/user', { email: newEmail(), password }),
      ({ id }) => project.api.patch(`/auth-collections/users/${id}`, { email: newEmail() }),
    ];
    for (const change of changes) {
      const person = await signUpAt(t, project);
      const token = await verificationTokenFor(person.email);
      await change(person);
      isDead(await verify(token));
      expect((await person.me.get('/auth-collections/user')).body.data.email_verified).toBe(false);
    }
  });

  test('A5: with odd letters, case, blanks or parts of it is none', async () => {
    const person = await signUpAt(t, project);
    const token = await resetTokenFor(person.email);
    const odd = [
      token.slice(0, -1),
      `${token} `,
      ` ${token}`,
      token.toUpperCase(),
      `${token}=`,
      '%',
      "' OR '1'='1",
      '\\x',
    ];
    for (const one of odd) isDead(await reset(one));
    expect((await reset(token)).status).toBe(200);
  });

  test('A5: a password that is too short or long uses no token up', async () => {
    const person = await signUpAt(t, project);
    const token = await resetTokenFor(person.email);
    for (const password of ['short', 'x'.repeat(257)]) {
      const reply = await reset(token, password);
      expect(reply).toFailWith(400, 'invalid_body');
    }
    expect((await reset(token)).status).toBe(200);
  });

  test('A5: a reset sent again with its Idempotency-Key has the same answer', async () => {
    const person = await signUpAt(t, project);
    const token = await resetTokenFor(person.email);
    const body = { token, new_password: 'another horse' };
    const once = { headers: { 'idempotency-key': 'reset' } };
    expect((await project.door.post('/auth-collections/reset-password', body, once)).status).toBe(200);
    const again = await project.door.post('/auth-collections/reset-password', body, once);
    expect([again.status, again.text]).toEqual([200, '{"success":true,"data":{"reset":true}}']);
  });
});

describe('A6: a reset', () => {
  test('A6: ends every sign-in on every node at once, and tells the owner', async () => {
    const other = await t.node();
    const person = await signUpAt(t, project);
    const tokens = [person.token];
    for (const door of [project.door, doorAt(project, other.url)]) {
      tokens.push((await logInAt(door, person)).body.access_token);
    }
    const all = () =>
      Promise.all(tokens.flatMap((token) => [statusOf(t, token), statusOf(t, token, other.url)]));
    expect(new Set(await all())).toEqual(new Set([200]));
    const token = await resetTokenFor(person.email);
    expect((await reset(token)).status).toBe(200);
    expect(new Set(await all())).toEqual(new Set([401]));
    expect((await logInAt(doorAt(project, other.url), person)).status).toBe(401);
    await t.mail.mailTo(person.email, 'changed');
  });

  test('A5: of an account whose address was never verified removes what somebody else may have left there', async () => {
    const person = await signUpAt(t, project);
    const { recoveryCodes } = await giveAuthenticator(person);
    const phone = newPhone();
    await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
    const token = await resetTokenFor(person.email);
    expect((await reset(token)).status).toBe(200);
    const login = await logInAt(project.door, { email: person.email, password: 'another horse' });
    expect(login.body.access_token, 'no second step is left').toBeTypeOf('string');
    expect(login.body.user.phone).toBeUndefined();
    expect(login.body.user.email_verified).toBe(true);
    const factors = await project.pool.query(
      `SELECT totp_secret, totp_confirmed, (SELECT count(*)::int FROM cell.recovery_codes WHERE user_id = $1) AS codes
       FROM cell.app_user_secrets WHERE user_id = $1`,
      [person.id],
    );
    expect(recoveryCodes.length).toBe(10);
    expect(factors.rows[0]).toEqual({ totp_secret: null, totp_confirmed: false, codes: 0 });
  });

  test('A5: of such an account ends a phone login that was begun before it', async () => {
    const person = await signUpAt(t, project);
    const phone = newPhone();
    await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
    await sendCode(phone);
    const code = codeIn(await t.mail.mailTo(person.email, 'Your code'));
    expect((await reset(await resetTokenFor(person.email))).status).toBe(200);
    const login = await project.door.post('/auth-collections/phone/login', { phone, code });
    expect(login).toFailWith(400, 'invalid_code');
  });

  test('A5: of such an account forgets that the person who opened it wanted no mailed codes', async () => {
    const free = await flowProject(t, { configs: { ENABLE_2FA: true } });
    await setTwoStepChoice(t.control, free.ref, true);
    const person = await signUpAt(t, free);
    expect((await person.me.post('/auth-collections/2fa/disable')).body.data.email).toBe(false);
    await forgot(person.email, free.door);
    const token = tokenIn(await t.mail.mailTo(person.email, 'Reset'));
    expect((await reset(token, 'another horse', free.door)).status).toBe(200);
    const login = await logInAt(free.door, { email: person.email, password: 'another horse' });
    expect(login.body.data.requires_2fa).toBe(true);
  });

  test('A5: of a verified account leaves its authenticator in force: a mailbox is no second factor', async () => {
    const person = await signUpAt(t, project);
    await verify(await verificationTokenFor(person.email));
    await giveAuthenticator(person);
    expect((await reset(await resetTokenFor(person.email))).status).toBe(200);
    const login = await logInAt(project.door, { email: person.email, password: 'another horse' });
    expect(login.body.data).toMatchObject({ requires_2fa: true, methods: ['totp', 'recovery_code'] });
  });
});
