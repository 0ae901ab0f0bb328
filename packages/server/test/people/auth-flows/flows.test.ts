import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { codeIn, tokenIn } from '../../support/mail-server.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { bearing, doorOf, newEmail, newPerson, statusOf } from '../../support/people/people.ts';

const t = useMailApp();

test('sign-up mails a welcome and a link; the token of the link verifies the address, once', async () => {
  await t.setKey('ENABLE_EMAIL_VERIFICATION', true);
  const person = await newPerson(t);
  await t.mail.mailTo(person.email, 'Welcome');
  const mail = await t.mail.mailTo(person.email, 'Confirm');
  const token = tokenIn(mail);
  expect((await person.me.get('/auth-collections/user')).body.data.email_verified).toBe(false);
  const door = doorOf(t);
  expect((await door.post('/auth-collections/verify-email', { token })).body.data).toEqual({
    email_verified: true,
  });
  expect((await person.me.get('/auth-collections/user')).body.data.email_verified).toBe(true);
  expect(await door.post('/auth-collections/verify-email', { token })).toFailWith(400, 'invalid_token');
});

test('a forgotten password is set anew by a mailed link; every sign-in ends', async () => {
  const person = await newPerson(t);
  const door = doorOf(t);
  expect((await door.post('/auth-collections/forgot-password', { email: person.email })).status).toBe(200);
  expect((await door.post('/auth-collections/forgot-password', { email: newEmail() })).status).toBe(200);
  const token = tokenIn(await t.mail.mailTo(person.email, 'password'));
  const reply = await door.post('/auth-collections/reset-password', { token, new_password: 'another horse' });
  expect(reply.body.data).toEqual({ reset: true });
  expect(await statusOf(t, person.token)).toBe(401);
  const again = await door.post('/auth-collections/login', {
    email: person.email,
    password: 'another horse',
  });
  expect(again.status).toBe(200);
  expect(again.body.user.email_verified).toBe(true);
  expect(
    (await door.post('/auth-collections/reset-password', { token, new_password: 'third horse' })).body.error
      .code,
  ).toBe('invalid_token');
});

test('with ENABLE_2FA a login is completed by a mailed code', async () => {
  await t.setKey('ENABLE_2FA', true);
  try {
    const person = await newPerson(t);
    const door = doorOf(t);
    const first = await door.post('/auth-collections/login', {
      email: person.email,
      password: person.password,
    });
    expect(first.body.data).toMatchObject({ requires_2fa: true, methods: ['email'] });
    expect(first.body.access_token).toBeUndefined();
    const { challenge } = first.body.data;
    const code = codeIn(await t.mail.mailTo(person.email, 'code'));
    expect(code).toMatch(/^\d{6}$/);
    const wrong = code === '000000' ? '111111' : '000000';
    expect(await door.post('/auth-collections/2fa/verify', { challenge, code: wrong })).toFailWith(
      400,
      'invalid_code',
    );
    const done = await door.post('/auth-collections/2fa/verify', { challenge, code });
    expect(done.status, done.text).toBe(200);
    expect(await statusOf(t, done.body.access_token)).toBe(200);
    expect(await door.post('/auth-collections/2fa/verify', { challenge, code })).toFailWith(
      400,
      'invalid_challenge',
    );
  } finally {
    await t.setKey('ENABLE_2FA', false);
  }
});

test('a phone is set with a code, and signs its user in with another', async () => {
  await t.setKey('ENABLE_PHONE_LOGIN', true);
  await t.giveGateway();
  const person = await newPerson(t);
  const phone = '+491701234567';
  const sent = await person.me.post('/auth-collections/phone/send-code', { phone: '+49 170 123-4567' });
  expect(sent.status, sent.text).toBe(200);
  const codeOf = async () => /\d{6}/.exec((await t.sms.messageTo(phone)).text)![0];
  const set = await person.me.post('/auth-collections/phone/verify', { phone, code: await codeOf() });
  expect(set.status, set.text).toBe(200);
  expect(set.body.data.phone).toBe(phone);
  t.sms.forget();
  const door = doorOf(t);
  await door.post('/auth-collections/phone/send-code', { phone });
  const done = await door.post('/auth-collections/phone/login', { phone, code: await codeOf() });
  expect(done.status, done.text).toBe(200);
  expect(done.body.user.id).toBe(person.id);
});

test('an authenticator app is set up, asked for at login, and replaced by a recovery code', async () => {
  const person = await newPerson(t);
  const setup = await person.me.post('/auth-collections/2fa/totp/setup', { password: person.password });
  expect(setup.status, setup.text).toBe(200);
  const totp = new TOTP({ secret: Secret.fromBase32(setup.body.data.secret) });
  const code = totp.generate();
  const confirmed = await person.me.post('/auth-collections/2fa/totp/confirm', { code });
  expect(confirmed.status, confirmed.text).toBe(200);
  const [recovery] = confirmed.body.data.recovery_codes;
  const door = doorOf(t);
  const login = () =>
    door.post('/auth-collections/login', { email: person.email, password: person.password });
  const { challenge } = (await login()).body.data;
  const reused = await door.post('/auth-collections/2fa/verify', { challenge, code });
  expect(reused).toFailWith(400, 'invalid_code');
  const done = await door.post('/auth-collections/2fa/verify', { challenge, code: recovery });
  expect(done.status, done.text).toBe(200);
  const sessions = await bearing(t, done.body.access_token).get('/auth-collections/sessions');
  expect(sessions.body.data.map(({ method }: { method: string }) => method)).toEqual([
    'password+recovery_code',
    'sign-up',
  ]);
});
