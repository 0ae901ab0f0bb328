import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { Dashboard, goodPassword, newManager } from '../support/management/dashboard.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('a second factor is asked for at every sign-in; codes work once, and wrong ones are counted', async () => {
  const ada = await newManager(t, 'ada@example.com');
  const { secret } = (await ada.post('/account/authenticator')).body.data;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const confirmed = await ada.post('/account/authenticator/confirm', { code: totp.generate() });
  const [recovery] = confirmed.body.data.recovery_codes;
  const credentials = { email: ada.email, password: goodPassword };
  const nobody = new Dashboard(t.url);
  const asked = await nobody.post('/session', credentials);
  expect([asked.status, asked.body.error.code]).toEqual([401, 'second_step_required']);
  expect((await nobody.post('/session', { ...credentials, password: 'wrong one' })).body.error.code).toBe(
    'invalid_login',
  );
  // Clocks may differ: the code of the next half minute counts too.
  const code = totp.generate({ timestamp: Date.now() + 30_000 });
  const tries = await Promise.all(
    Array.from({ length: 5 }, () => new Dashboard(t.url).post('/session', { ...credentials, code })),
  );
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await nobody.post('/session', { ...credentials, code: recovery.toUpperCase() })).status).toBe(200);
  expect((await nobody.post('/session', { ...credentials, code: recovery })).body.error.code).toBe(
    'invalid_code',
  );
  const codes: string[] = [];
  for (let more = 0; more < 10; more += 1)
    codes.push((await nobody.post('/session', { ...credentials, code: '000000' })).body.error.code);
  expect(codes.at(-1)).toBe('too_many_codes');
  // Whoever is signed in goes on.
  expect((await ada.get('/account')).body.data.second_factor).toBe(true);
  expect((await ada.delete('/account/authenticator')).status).toBe(200);
  expect((await nobody.post('/session', credentials)).status).toBe(200);
});
