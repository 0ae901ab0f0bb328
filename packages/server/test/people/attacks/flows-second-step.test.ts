// @postgres newest
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { tokenIn } from '../../support/mail-server.ts';
import {
  challengeOf,
  doorAt,
  type FlowProject,
  flowProject,
  giveAuthenticator,
  giveGatewayTo,
  logInAt,
  mailedCode,
  newPhone,
  signUpAt,
  textedCode,
  verifyStep,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { bearing, newEmail, type Person, statusOf } from '../../support/people/people.ts';

const t = useMailApp();
let strict: FlowProject;
let plain: FlowProject;
beforeAll(async () => {
  strict = await flowProject(t, { configs: { ENABLE_2FA: true, ENABLE_PHONE_LOGIN: true } });
  plain = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: true } });
  for (const project of [strict, plain]) await giveGatewayTo(t, project);
});

const errorOf = ({ body }: Reply) => body.error?.code;
const once = (key: string) => ({ 'idempotency-key': key });

/** The answer asks for a second step, and has nothing in it that would let anyone in. */
function expectAsked(reply: Reply): void {
  expect(reply.body.data?.requires_2fa, reply.text).toBe(true);
  expect(reply.text).not.toContain('access_token');
  expect(reply.text).not.toMatch(/eyJ[\w-]+\./);
}

describe('2FA: an Idempotency-Key is no way around the second step', () => {
  test('O1: a login that asked for a code asks again when it is repeated, before and after it was completed', async () => {
    const person = await signUpAt(t, strict);
    const key = once('asked');
    const first = await logInAt(strict.door, person, key);
    expectAsked(first);
    await mailedCode(t, person.email);
    const again = await logInAt(strict.door, person, key);
    expectAsked(again);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const { challenge } = again.body.data;
    expect((await verifyStep(strict.door, challenge, await mailedCode(t, person.email))).status).toBe(200);
    expectAsked(await logInAt(strict.door, person, key));
  });

  test('O1: a login from before there was an authenticator, repeated, is the same sign-in, and over with it', async () => {
    const person = await signUpAt(t, plain);
    const key = once('before the app');
    const first = await logInAt(plain.door, person, key);
    await giveAuthenticator(person);
    const again = await logInAt(plain.door, person, key);
    expect(sessionOf(again)).toBe(sessionOf(first));
    await bearing(t, first.body.access_token).post('/auth-collections/logout');
    expect((await logInAt(plain.door, person, key)).body.access_token).toBeUndefined();
  });

  test('O1: a sign-up from before there was an authenticator, repeated, is the same sign-in, and over with it', async () => {
    const body = { email: newEmail(), password: 'correct horse' };
    const signUp = () => plain.door.post('/auth-collections/signup', body, { headers: once('sign-up') });
    const first = await signUp();
    const { access_token: token, user } = first.body;
    await giveAuthenticator({ ...body, id: user.id, token, me: bearing(t, token) });
    expect(sessionOf(await signUp())).toBe(sessionOf(first));
    await bearing(t, token).post('/auth-collections/logout');
    expect((await signUp()).body.access_token, 'a token for the password alone').toBeUndefined();
  });

  test('O1: a phone login from before there was an authenticator asks for it when it is repeated', async () => {
    const person = await signUpAt(t, plain);
    const phone = newPhone();
    await plain.api.patch(`/auth-collections/users/${person.id}`, { phone });
    await plain.door.post('/auth-collections/phone/send-code', { phone });
    const body = { phone, code: await textedCode(t, phone) };
    const logIn = () => plain.door.post('/auth-collections/phone/login', body, { headers: once('by phone') });
    expect((await logIn()).body.access_token).toBeTypeOf('string');
    await giveAuthenticator(person);
    const again = await logIn();
    expect(again.body.access_token).toBeUndefined();
  });

  test('A4: a key of an answered login tells nothing about passwords, and its tries are counted', async () => {
    const limited = await t.node({ AUTH_ACCOUNT_LIMIT: '5' });
    const person = await signUpAt(t, plain);
    const door = doorAt(plain, limited.url);
    expect((await logInAt(door, person, once('answered'))).status).toBe(200);
    const replies: Reply[] = [];
    for (let n = 0; n < 12; n += 1) {
      replies.push(await logInAt(door, { ...person, password: `wrong horse ${n}` }, once('answered')));
    }
    // A minute may end in between: then it is five again.
    const unlimited = replies.filter(({ status }) => status !== 429).length;
    expect(unlimited, 'tries that were let through').toBeLessThanOrEqual(10);
  });
});

describe('2FA: a challenge', () => {
  test('O1: is valid only in its own project', async () => {
    const person = await signUpAt(t, strict);
    const challenge = await challengeOf(strict.door, person);
    const code = await mailedCode(t, person.email);
    for (const reply of [
      await verifyStep(plain.door, challenge, code),
      await plain.door.post('/auth-collections/2fa/resend', { challenge }),
      await verifyStep(strict.door, `${challenge}x`, code),
      await verifyStep(strict.door, '', code),
    ]) {
      expect(reply.status).toBe(400);
    }
    expect((await verifyStep(strict.door, challenge, code)).status).toBe(200);
  });

  test('O1: of one user is not completed by the code of another, though both are open', async () => {
    const [victim, thief] = [await signUpAt(t, strict), await signUpAt(t, strict)];
    const open = await challengeOf(strict.door, victim);
    await challengeOf(strict.door, thief);
    const code = await mailedCode(t, thief.email);
    const reply = await verifyStep(strict.door, open, code);
    if (reply.status === 200) expect(reply.body.user.id).not.toBe(victim.id);
    expect(errorOf(reply)).toBe('invalid_code');
  });

  test('O1: a code is valid for its own sign-in, not for another of the same user', async () => {
    const person = await signUpAt(t, strict);
    const first = await challengeOf(strict.door, person);
    const code = await mailedCode(t, person.email);
    const second = await challengeOf(strict.door, person);
    const other = await mailedCode(t, person.email);
    if (code !== other) expect(errorOf(await verifyStep(strict.door, second, code))).toBe('invalid_code');
    expect((await verifyStep(strict.door, first, code)).status).toBe(200);
  });

  const ends: Record<string, [(person: Person) => Promise<unknown>, string]> = {
    'the password was changed': [
      ({ me, password }) =>
        me.post('/auth-collections/change-password', {
          old_password: password,
          new_password: 'second horse',
        }),
      'invalid_challenge',
    ],
    'the server set a password': [
      ({ id }) => strict.api.patch(`/auth-collections/users/${id}`, { password: 'second horse' }),
      'invalid_challenge',
    ],
    'the user was suspended': [
      ({ id }) => strict.api.patch(`/auth-collections/users/${id}`, { suspended: true }),
      'user_suspended',
    ],
    'the user was deleted': [
      ({ id }) => strict.api.delete(`/auth-collections/users/${id}`),
      'invalid_challenge',
    ],
    'ten minutes': [
      ({ id }) =>
        strict.pool.query(
          `UPDATE cell.one_time_codes SET expires_at = expires_at - interval '10 minutes' WHERE user_id = $1`,
          [id],
        ),
      'invalid_challenge',
    ],
  };
  test.each(Object.keys(ends))('O1: is dead after %s', async (what) => {
    const [end, code] = ends[what]!;
    const person = await signUpAt(t, strict);
    const challenge = await challengeOf(strict.door, person);
    const mailed = await mailedCode(t, person.email);
    await end(person);
    const reply = await verifyStep(strict.door, challenge, mailed);
    expect(errorOf(reply)).toBe(code);
    expect(reply.body.access_token).toBeUndefined();
    expect((await strict.door.post('/auth-collections/2fa/resend', { challenge })).status).not.toBe(200);
  });

  test('O1: that waits for a mailed code is not enough once the user has an authenticator', async () => {
    const person = await signUpAt(t, strict);
    const challenge = await challengeOf(strict.door, person);
    const code = await mailedCode(t, person.email);
    await giveAuthenticator(person);
    const reply = await verifyStep(strict.door, challenge, code);
    expect(reply.body.access_token, 'a token without the authenticator').toBeUndefined();
  });

  test('O1: is no credential', async () => {
    const person = await signUpAt(t, strict);
    const challenge = await challengeOf(strict.door, person);
    expect(await statusOf(t, challenge)).toBe(401);
    const body = { old_password: person.password, new_password: 'second horse' };
    const reply = await bearing(t, challenge).post('/auth-collections/change-password', body);
    expect(reply.status).toBe(401);
  });
});

describe('2FA: other doors', () => {
  test('refresh and change-password need the token of a sign-in that was completed', async () => {
    const person = await signUpAt(t, strict);
    const body = { old_password: person.password, new_password: 'second horse' };
    expect((await strict.door.post('/auth-collections/change-password', body)).status).toBe(401);
    const challenge = await challengeOf(strict.door, person);
    for (const given of [{}, { refresh_token: challenge }])
      expect((await strict.door.post('/auth-collections/refresh', given)).status).toBe(401);
    const completed = await verifyStep(strict.door, challenge, await mailedCode(t, person.email));
    const refreshed = await strict.door.post('/auth-collections/refresh', {
      refresh_token: completed.body.refresh_token,
    });
    expect(refreshed.status, refreshed.text).toBe(200);
    const changed = await person.me.post('/auth-collections/change-password', body);
    expect(changed.body.access_token).toBeTypeOf('string');
    expectAsked(await logInAt(strict.door, { email: person.email, password: 'second horse' }));
  });

  test('a reset gives no token: the login after it asks for a code', async () => {
    const person = await signUpAt(t, strict);
    await strict.door.post('/auth-collections/forgot-password', { email: person.email });
    const token = tokenIn(await t.mail.mailTo(person.email, 'Reset'));
    const reply = await strict.door.post('/auth-collections/reset-password', {
      token,
      new_password: 'second horse',
    });
    expect(reply.text).toBe('{"success":true,"data":{"reset":true}}');
    expectAsked(await logInAt(strict.door, { email: person.email, password: 'second horse' }));
  });

  test('a project that cannot mail lets nobody in who must have a code', async () => {
    const { url } = await t.node({ SMTP_URL: '', MAIL_FROM: '' });
    const person = await signUpAt(t, strict);
    const reply = await logInAt(doorAt(strict, url), person);
    expect(reply.body.access_token).toBeUndefined();
    expect(errorOf(reply)).toBe('mail_not_configured');
  });

  test('D7: no body sets what the flows keep: phone, verification, factors', async () => {
    const person = await signUpAt(t, plain);
    const app = await giveAuthenticator(person);
    const fields = {
      phone: newPhone(),
      email_verified: true,
      totp_confirmed: false,
      skips_codes: true,
      suspended: false,
    };
    for (const [name, value] of Object.entries(fields)) {
      const signUp = { email: newEmail(), password: 'correct horse', [name]: value };
      for (const reply of [
        await person.me.patch('/auth-collections/user', { [name]: value }),
        await plain.door.post('/auth-collections/signup', signUp),
        await plain.door.post('/auth-collections/login', {
          email: person.email,
          password: person.password,
          [name]: value,
        }),
      ]) {
        expect([name, reply.status, errorOf(reply)]).toEqual([name, 400, 'invalid_body']);
      }
    }
    await person.me.patch('/auth-collections/user', { data: fields });
    const { data } = (await person.me.get('/auth-collections/user')).body;
    expect([data.phone, data.email_verified]).toEqual([undefined, false]);
    expectAsked(await logInAt(plain.door, person));
    expect(app.recoveryCodes).toHaveLength(10);
  });

  test('a right code with a wrong form is refused, and a body may carry nothing else', async () => {
    const person = await signUpAt(t, strict);
    const challenge = await challengeOf(strict.door, person);
    const code = await mailedCode(t, person.email);
    const odd = [
      { challenge, code: Number(code) },
      { challenge, code: [code] },
      { challenge: [challenge], code },
      { challenge, code: { $ne: '' } },
      { challenge, code, user_id: person.id },
      { challenge, code: `${code}${'0'.repeat(60)}` },
      { code },
      { challenge },
    ];
    for (const body of odd) {
      const reply = await strict.door.post('/auth-collections/2fa/verify', body);
      expect([reply.status, errorOf(reply)]).toEqual([400, 'invalid_body']);
    }
    expect((await verifyStep(strict.door, challenge, code)).status).toBe(200);
  });
});

/** The sign-in that a token belongs to. */
const sessionOf = ({ body }: Reply) => decodeJwt(body.access_token).sid;
