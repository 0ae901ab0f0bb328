// @postgres newest
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { dump, secretsIn } from '../../support/dump.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';

const t = useMailApp();

test('A9: what is kept for an Idempotency-Key holds no secret of an authenticator or a sign-in', async () => {
  const plain = await t.createProject();
  const door = new Client(`${t.url}/p/${plain.ref}`);
  const once = { headers: { 'idempotency-key': 'kept' } };
  const body = { email: newEmail(), password: `canary${randomBytes(12).toString('hex')}` };
  const signedUp = await door.post('/auth-collections/signup', body, once);
  const me = new Client(t.url, { authorization: `Bearer ${signedUp.body.access_token}` });
  const setup = await me.post('/auth-collections/2fa/totp/setup', { password: body.password }, once);
  expect(setup.status, setup.text).toBe(200);
  const totp = new TOTP({ secret: Secret.fromBase32(setup.body.data.secret) });
  const confirmed = await me.post('/auth-collections/2fa/totp/confirm', { code: totp.generate() }, once);
  expect(confirmed.status, confirmed.text).toBe(200);
  const renewed = await me.post(
    '/auth-collections/2fa/recovery-codes',
    { password: body.password, code: confirmed.body.data.recovery_codes[0] },
    once,
  );
  expect(renewed.status, renewed.text).toBe(200);
  const login = await door.post('/auth-collections/login', body, once);
  const kept = await dump([t.cells.pool(plain.cell)]);
  const found = secretsIn(kept, {
    'the password': body.password,
    'the secret of the app': setup.body.data.secret,
    'the bytes of the secret': Buffer.from(totp.secret.bytes).toString('hex'),
    'a recovery code': confirmed.body.data.recovery_codes[1],
    'a renewed recovery code': renewed.body.data.recovery_codes[1],
    'the challenge': login.body.data.challenge,
    'the access token': signedUp.body.access_token.split('.')[2],
  });
  expect(found).toEqual([]);
});
