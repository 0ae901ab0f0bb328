// @postgres newest
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import {
  challengeOf,
  type FlowProject,
  flowProject,
  giveAuthenticator,
  giveGatewayTo,
  logInAt,
  newPhone,
  roomInStep,
  signUpAt,
  textedCode,
  verifyStep,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { type Person, statusOf } from '../../support/people/people.ts';
import { appUri, signInCode } from '../../support/people/sign-in-code.ts';

const t = useMailApp();
let project: FlowProject;
beforeAll(async () => {
  const configs = { ENABLE_2FA: true, ENABLE_PHONE_LOGIN: true, ENABLE_EMAIL_VERIFICATION: true };
  project = await flowProject(t, { configs });
  await giveGatewayTo(t, project);
});

const errorOf = ({ body }: Reply) => body.error?.code;

const exchange = (body: object, at = project.door) => at.post('/auth-collections/exchange', body);

describe('a code of a hosted sign-in', () => {
  const deaths: Record<string, (person: Person) => Promise<unknown>> = {
    'after the password was changed': ({ me, password }) =>
      me.post('/auth-collections/change-password', { old_password: password, new_password: 'second horse' }),
    'two minutes later': ({ id }) =>
      project.pool.query(
        `UPDATE cell.one_time_tokens SET expires_at = expires_at - interval '2 minutes' WHERE user_id = $1`,
        [id],
      ),
    'once the user is deleted': ({ id }) => project.api.delete(`/auth-collections/users/${id}`),
  };
  test.each(Object.keys(deaths))('O2: is dead %s', async (when) => {
    const person = await signUpAt(t, project);
    const code = await signInCode(t, project, person);
    await deaths[when]!(person);
    const reply = await exchange({ code, redirect_uri: appUri });
    expect([reply.status, errorOf(reply)]).toEqual([400, 'invalid_token']);
  });

  test('O2: gives a suspended user nothing', async () => {
    const person = await signUpAt(t, project);
    const code = await signInCode(t, project, person);
    await project.api.patch(`/auth-collections/users/${person.id}`, { suspended: true });
    expect(errorOf(await exchange({ code, redirect_uri: appUri }))).toBe('user_suspended');
  });

  test('O2: is valid for one address, for the person who began the sign-in, and in its project; a wrong try uses it up', async () => {
    const person = await signUpAt(t, project);
    const elsewhere = await flowProject(t);
    const verifier = 'v'.repeat(43);
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    const wrong: [object, Client][] = [
      [{ redirect_uri: `${appUri}/` }, project.door],
      [{ redirect_uri: appUri.toUpperCase() }, project.door],
      [{ redirect_uri: appUri }, project.door],
      [{ redirect_uri: appUri, code_verifier: codeChallenge }, project.door],
      [{ redirect_uri: appUri, code_verifier: 'w'.repeat(43) }, project.door],
    ];
    for (const [body, at] of wrong) {
      const code = await signInCode(t, project, person, codeChallenge);
      expect(errorOf(await exchange({ code, ...body }, at))).toBe('invalid_token');
      const late = await exchange({ code, redirect_uri: appUri, code_verifier: verifier });
      expect(errorOf(late)).toBe('invalid_token');
    }
    const code = await signInCode(t, project, person, codeChallenge);
    const right = { code, redirect_uri: appUri, code_verifier: verifier };
    expect(errorOf(await exchange(right, elsewhere.door))).toBe('invalid_token');
    expect((await exchange(right)).status).toBe(200);
  });

  test('O2: is no token for anything else', async () => {
    const person = await signUpAt(t, project);
    const code = await signInCode(t, project, person);
    const others: Record<string, object> = {
      'reset-password': { token: code, new_password: 'another horse' },
      'verify-email': { token: code },
      '2fa/verify': { challenge: code, code: '000000' },
      '2fa/resend': { challenge: code },
    };
    for (const [path, body] of Object.entries(others)) {
      expect((await project.door.post(`/auth-collections/${path}`, body)).status, path).toBe(400);
    }
    expect(await statusOf(t, code)).toBe(401);
    expect((await exchange({ code, redirect_uri: appUri })).status).toBe(200);
  });
});

describe('a code of an authenticator app', () => {
  /** As if no code of it had been taken yet. */
  const forgetSteps = ({ id }: Person) =>
    project.pool.query('UPDATE cell.app_user_secrets SET totp_step = 0 WHERE user_id = $1', [id]);

  test('O2: is refused at the next login, and so are those of earlier moments', async () => {
    const person = await signUpAt(t, project);
    const totp = await giveAuthenticator(person);
    await roomInStep(2500);
    const next = totp.code(1);
    const first = await challengeOf(project.door, person);
    expect((await verifyStep(project.door, first, next)).status).toBe(200);
    const second = await challengeOf(project.door, person);
    for (const code of [next, totp.code(0), totp.code(-1)]) {
      expect(errorOf(await verifyStep(project.door, second, code))).toBe('invalid_code');
    }
    // Nor does it do anything else.
    const remove = { code: next, password: person.password };
    expect(errorOf(await person.me.post('/auth-collections/2fa/totp/remove', remove))).toBe('invalid_code');
  });

  test('O2: counts one step before its time and one after it, and no further', async () => {
    const person = await signUpAt(t, project);
    const totp = await giveAuthenticator(person);
    const answers: [number, number][] = [];
    for (const away of [-20, -2, -1, 0, 1, 2, 20]) {
      await forgetSteps(person);
      const challenge = await challengeOf(project.door, person);
      await roomInStep(5000);
      answers.push([away, (await verifyStep(project.door, challenge, totp.code(away))).status]);
    }
    expect(answers.filter(([, status]) => status === 200).map(([away]) => away)).toEqual([-1, 0, 1]);
  });

  test('O2: of another user is refused, and so are its recovery codes', async () => {
    const [victim, thief] = [await signUpAt(t, project), await signUpAt(t, project)];
    await giveAuthenticator(victim);
    const own = await giveAuthenticator(thief);
    const challenge = await challengeOf(project.door, victim);
    for (const code of [own.code(), own.recoveryCodes[0]!]) {
      expect(errorOf(await verifyStep(project.door, challenge, code))).toBe('invalid_code');
    }
    expect((await thief.me.get('/auth-collections/2fa')).body.data.recovery_codes).toBe(10);
  });

  test('O2: is not taken from an app that was begun and not confirmed', async () => {
    const person = await signUpAt(t, project);
    await person.me.post('/auth-collections/2fa/totp/setup', { password: person.password });
    const login = await logInAt(project.door, person);
    expect(login.body.data.methods).toEqual(['email']);
    for (const path of ['totp/remove', 'recovery-codes']) {
      const body = { code: '000000', password: person.password };
      expect(errorOf(await person.me.post(`/auth-collections/2fa/${path}`, body))).toBe('no_authenticator');
    }
  });

  test('O2: old recovery codes are dead once there are new ones', async () => {
    const person = await signUpAt(t, project);
    const totp = await giveAuthenticator(person);
    const body = { code: totp.code(), password: person.password };
    const renewed = await person.me.post('/auth-collections/2fa/recovery-codes', body);
    expect(renewed.body.data.recovery_codes).toHaveLength(10);
    const challenge = await challengeOf(project.door, person);
    expect(errorOf(await verifyStep(project.door, challenge, totp.recoveryCodes[0]!))).toBe('invalid_code');
    expect((await verifyStep(project.door, challenge, renewed.body.data.recovery_codes[0])).status).toBe(200);
  });
});

describe('a code for a phone', () => {
  const sendTo = (phone: string, at: Pick<Person, 'me'> | { me: Client } = { me: project.door }) =>
    at.me.post('/auth-collections/phone/send-code', { phone });

  test('O2: sets the number that it went to and no other, and signs nobody in', async () => {
    const [person, other] = [await signUpAt(t, project), await signUpAt(t, project)];
    const [phone, another] = [newPhone(), newPhone()];
    await sendTo(phone, person);
    const code = await textedCode(t, phone);
    const verify = (me: Client, number: string) =>
      me.post('/auth-collections/phone/verify', { phone: number, code });
    expect(errorOf(await verify(person.me, another))).toBe('invalid_code');
    expect(errorOf(await verify(other.me, phone))).toBe('invalid_code');
    expect(errorOf(await project.door.post('/auth-collections/phone/login', { phone, code }))).toBe(
      'invalid_code',
    );
    expect((await verify(person.me, phone)).body.data.phone).toBe(phone);
    await sendTo(phone);
    const login = await textedCode(t, phone);
    expect(errorOf(await person.me.post('/auth-collections/phone/verify', { phone, code: login }))).toBe(
      'invalid_code',
    );
  });

  test('O2: only the newest is valid', async () => {
    const person = await signUpAt(t, project);
    const phone = newPhone();
    await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
    await sendTo(phone);
    const first = await textedCode(t, phone);
    await sendTo(phone);
    const second = await textedCode(t, phone);
    const logIn = (code: string) => project.door.post('/auth-collections/phone/login', { phone, code });
    if (first !== second) expect(errorOf(await logIn(first))).toBe('invalid_code');
    expect((await logIn(second)).status).toBe(200);
  });

  test('O2: is invalid once the number is another’s, the user suspended, or ten minutes over', async () => {
    const ends: ((id: string, phone: string) => Promise<unknown>)[] = [
      async (id, phone) => {
        const heir = await signUpAt(t, project);
        await project.api.patch(`/auth-collections/users/${id}`, { phone: null });
        await project.api.patch(`/auth-collections/users/${heir.id}`, { phone });
      },
      (id) => project.api.patch(`/auth-collections/users/${id}`, { suspended: true }),
      (id) =>
        project.pool.query(
          `UPDATE cell.one_time_codes SET expires_at = expires_at - interval '10 minutes' WHERE user_id = $1`,
          [id],
        ),
    ];
    for (const end of ends) {
      const person = await signUpAt(t, project);
      const phone = newPhone();
      await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
      await sendTo(phone);
      const code = await textedCode(t, phone);
      await end(person.id, phone);
      const reply = await project.door.post('/auth-collections/phone/login', { phone, code });
      expect(reply.body.access_token).toBeUndefined();
      expect(['invalid_code', 'user_suspended']).toContain(errorOf(reply));
    }
  });
});
