// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { setTwoStepChoice } from '../../../src/features/control/projects/index.ts';
import type { Reply } from '../../support/client.ts';
import {
  challengeOf,
  type FlowProject,
  flowProject,
  giveAuthenticator,
  giveGatewayTo,
  logInAt,
  newPhone,
  signUpAt,
  textedCode,
  verifyStep,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';

const t = useMailApp();
let strict: FlowProject;
let plain: FlowProject;
beforeAll(async () => {
  strict = await flowProject(t, { configs: { ENABLE_2FA: true, ENABLE_PHONE_LOGIN: true } });
  plain = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: true } });
  for (const project of [strict, plain]) await giveGatewayTo(t, project);
});

const errorOf = ({ body }: Reply) => body.error?.code;

/** The answer asks for a second step, and has nothing in it that would let anyone in. */
function expectAsked(reply: Reply): void {
  expect(reply.body.data?.requires_2fa, reply.text).toBe(true);
  expect(reply.text).not.toContain('access_token');
  expect(reply.text).not.toMatch(/eyJ[\w-]+\./);
}

describe('2FA: an authenticator', () => {
  test('is asked for whatever ENABLE_2FA says, after every way to sign in that has no second step of its own', async () => {
    for (const project of [plain, strict]) {
      const person = await signUpAt(t, project);
      const app = await giveAuthenticator(person);
      const phone = newPhone();
      await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
      const login = await logInAt(project.door, person);
      expectAsked(login);
      expect(login.body.data.methods).toEqual(['totp', 'recovery_code']);
      await project.door.post('/auth-collections/phone/send-code', { phone });
      const body = { phone, code: await textedCode(t, phone) };
      const byPhone = await project.door.post('/auth-collections/phone/login', body);
      expectAsked(byPhone);
      const done = await verifyStep(project.door, byPhone.body.data.challenge, app.code());
      expect(done.status, done.text).toBe(200);
    }
  });

  test('mails no code to whoever has one, so that the mailbox does not replace it', async () => {
    const person = await signUpAt(t, strict);
    await giveAuthenticator(person);
    const login = await logInAt(strict.door, person);
    const { challenge } = login.body.data;
    expect(errorOf(await strict.door.post('/auth-collections/2fa/resend', { challenge }))).toBe(
      'invalid_challenge',
    );
    const { rows } = await strict.pool.query('SELECT code_mark FROM cell.one_time_codes WHERE user_id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([{ code_mark: null }]);
  });

  test('is not replaced or removed without the password and a code', async () => {
    const person = await signUpAt(t, plain);
    const app = await giveAuthenticator(person);
    const { me, password } = person;
    expect(errorOf(await me.post('/auth-collections/2fa/totp/setup', { password }))).toBe(
      'authenticator_set_up',
    );
    expect(errorOf(await me.post('/auth-collections/2fa/totp/setup', {}))).toBe('wrong_password');
    expect(errorOf(await me.post('/auth-collections/2fa/totp/confirm', { code: app.code() }))).toBe(
      'authenticator_set_up',
    );
    for (const path of ['totp/remove', 'recovery-codes']) {
      const post = (body: object) => me.post(`/auth-collections/2fa/${path}`, body);
      expect(errorOf(await post({ code: app.code() }))).toBe('wrong_password');
      expect(errorOf(await post({ code: app.code(), password: 'wrong horse' }))).toBe('wrong_password');
      expect(errorOf(await post({ code: '000000', password }))).toBe('invalid_code');
      expect(errorOf(await post({ password }))).toBe('invalid_body');
    }
    expectAsked(await logInAt(plain.door, person));
  });

  test('cannot be put in force by whoever has a token alone', async () => {
    const person = await signUpAt(t, plain);
    for (const body of [undefined, {}, { password: '' }, { password: 'wrong horse' }]) {
      expect(errorOf(await person.me.post('/auth-collections/2fa/totp/setup', body))).toBe('wrong_password');
    }
  });

  test('is gone after totp/remove, and its recovery codes with it', async () => {
    const person = await signUpAt(t, plain);
    const app = await giveAuthenticator(person);
    const open = await challengeOf(plain.door, person);
    const body = { code: app.code(), password: person.password };
    expect((await person.me.post('/auth-collections/2fa/totp/remove', body)).body.data).toEqual({
      removed: true,
    });
    expect((await person.me.get('/auth-collections/2fa')).body.data).toEqual({
      email: false,
      totp: false,
      recovery_codes: 0,
    });
    expect(errorOf(await verifyStep(plain.door, open, app.recoveryCodes[0]!))).toBe('invalid_code');
    expect((await logInAt(plain.door, person)).body.access_token).toBeTypeOf('string');
  });
});

test('M4: the address of a QR code has one secret, whatever project and person are called', async () => {
  const project = await flowProject(t, { name: 'A&secret=AAAA?issuer=x#y:z/%20 "<b>' });
  const person = await signUpAt(t, project, { email: 'a&secret=bbbb?issuer=evil#x@example.com' });
  const setup = await person.me.post('/auth-collections/2fa/totp/setup', { password: person.password });
  const { secret, uri } = setup.body.data;
  const url = new URL(uri);
  expect([url.protocol, url.host, url.hash]).toEqual(['otpauth:', 'totp', '']);
  expect(url.searchParams.getAll('secret')).toEqual([secret]);
  expect(url.searchParams.getAll('issuer')).toEqual(['A&secret=AAAA?issuer=x#y:z/%20 "<b>']);
});

describe('2FA: the user’s own choice', () => {
  test('is 403 while the project does not leave it to users, and then changes nothing', async () => {
    const person = await signUpAt(t, strict);
    for (const path of ['disable', 'enable']) {
      const reply = await person.me.post(`/auth-collections/2fa/${path}`);
      expect([reply.status, errorOf(reply)]).toEqual([403, 'flow_disabled']);
    }
    expect((await strict.door.post('/auth-collections/2fa/disable')).status).toBe(401);
    expectAsked(await logInAt(strict.door, person));
  });

  test('counts while the project leaves it to users, and not a moment longer; an authenticator is never skipped', async () => {
    const project = await flowProject(t, { configs: { ENABLE_2FA: true } });
    await setTwoStepChoice(t.control, project.ref, true);
    const person = await signUpAt(t, project);
    expectAsked(await logInAt(project.door, person));
    const disabled = await person.me.post('/auth-collections/2fa/disable');
    expect(disabled.body.data).toEqual({ email: false, totp: false, recovery_codes: 0 });
    expect((await logInAt(project.door, person)).body.access_token).toBeTypeOf('string');
    const enabled = await person.me.post('/auth-collections/2fa/enable');
    expect(enabled.body.data.email).toBe(true);
    expectAsked(await logInAt(project.door, person));
    await person.me.post('/auth-collections/2fa/disable');
    await setTwoStepChoice(t.control, project.ref, false);
    await expect.poll(async () => (await logInAt(project.door, person)).body.data.requires_2fa).toBe(true);
    await setTwoStepChoice(t.control, project.ref, true);
    await giveAuthenticator(person);
    await expect.poll(async () => (await person.me.post('/auth-collections/2fa/disable')).status).toBe(200);
    expectAsked(await logInAt(project.door, person));
  });
});
