import { expect, test } from 'vitest';
import { codeIn, tokenIn } from '../../server/test/support/mail-server.ts';
import {
  flowProject,
  giveGatewayTo,
  mailedCode,
  newPhone,
  textedCode,
  totpOf,
} from '../../server/test/support/people/actors.ts';
import { useMailApp } from '../../server/test/support/people/mail-app.ts';
import { createClient, isPlinthError } from '../src/index.ts';
import { memory, password, unique } from './suite/check.ts';

const t = useMailApp();

async function stage(configs: Record<string, string | boolean> = {}) {
  const project = await flowProject(t, { configs });
  const open = () => createClient({ url: `${t.url}/p/${project.ref}`, storage: memory() });
  const plinth = open();
  const email = `${unique()}@example.com`;
  await plinth.auth.signUp({ email, password });
  return { project, open, plinth, email };
}

test('an address is verified by the link in a mail', async () => {
  const { plinth, email } = await stage({ ENABLE_EMAIL_VERIFICATION: true });
  expect(plinth.auth.user?.email_verified).toBe(false);
  await plinth.auth.verifyEmail(tokenIn(await t.mail.mailTo(email, 'Confirm')));
  expect(plinth.auth.user?.email_verified).toBe(true);
  await expect(plinth.auth.sendVerification()).rejects.toMatchObject({ code: 'already_verified' });
});

test('a forgotten password is set by the link in a mail', async () => {
  const { plinth, open, email } = await stage();
  const other = open();
  await other.auth.forgotPassword(email);
  await other.auth.resetPassword(tokenIn(await t.mail.mailTo(email, 'password')), 'another horse');
  expect(other.auth.user).toBeNull();
  await expect(plinth.auth.reload()).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(plinth.auth.state).toMatchObject({ status: 'signed-out', reason: 'refused' });
  expect((await other.auth.logIn({ email, password: 'another horse' })).user?.email).toBe(email);
});

test('a mailed code completes a login', async () => {
  const { open, email } = await stage({ ENABLE_2FA: true });
  const plinth = open();
  const { secondStep } = await plinth.auth.logIn({ email, password });
  expect(secondStep?.methods).toEqual(['email']);
  expect(plinth.auth.user).toBeNull();
  await mailedCode(t, email);
  await secondStep?.resend();
  const code = codeIn(await t.mail.mailTo(email, 'code'));
  await expect(secondStep?.verify('nonsense')).rejects.toMatchObject({ code: 'invalid_code' });
  expect((await secondStep?.verify(code))?.email).toBe(email);
  expect(plinth.auth.user?.email).toBe(email);
});

test('an authenticator app is set up, asked for, and removed', async () => {
  const { plinth, open, email } = await stage();
  const { authenticator } = plinth.auth;
  const { secret, uri } = await authenticator.setUp(password);
  expect(uri).toContain(secret);
  const { recoveryCodes } = await authenticator.confirm(totpOf(secret));
  expect(recoveryCodes).toHaveLength(10);
  expect(await authenticator.status()).toEqual({ email: false, totp: true, recoveryCodes: 10 });
  const phone = open();
  const { secondStep } = await phone.auth.logIn({ email, password });
  expect(secondStep?.methods).toEqual(['totp', 'recovery_code']);
  expect((await secondStep?.verify(recoveryCodes[0] ?? ''))?.email).toBe(email);
  const renewed = await authenticator.renewRecoveryCodes({ code: recoveryCodes[1] ?? '', password });
  await authenticator.remove({ code: renewed.recoveryCodes[0] ?? '', password });
  expect((await authenticator.status()).totp).toBe(false);
});

test('a phone number is shown to be theirs, and signs in', async () => {
  const { project, plinth, open, email } = await stage({ ENABLE_PHONE_LOGIN: true });
  await giveGatewayTo(t, project);
  const phone = newPhone();
  await plinth.auth.sendPhoneCode(phone);
  await plinth.auth.verifyPhone({ phone, code: await textedCode(t, phone), password });
  expect(plinth.auth.user?.phone).toBe(phone);
  const other = open();
  await other.auth.sendPhoneCode(phone);
  const { user } = await other.auth.logInWithPhone({ phone, code: await textedCode(t, phone) });
  expect(user?.email).toBe(email);
});

test('files of a user travel with the sign-up and with changes', async () => {
  const { project } = await stage();
  const plinth = createClient({ url: `${t.url}/p/${project.ref}`, storage: memory() });
  const picture = (text: string) =>
    new File([`<svg xmlns="http://www.w3.org/2000/svg"><title>${text}</title></svg>`], 'me.svg');
  const user = await plinth.auth.signUp({
    email: `${unique()}@example.com`,
    password,
    data: { name: 'Ada', avatar: picture('one') },
  });
  expect(user.data).toMatchObject({ name: 'Ada', avatar: expect.stringContaining('/files/') });
  const changed = await plinth.auth.update({ data: { avatar: picture('two') } });
  expect(changed.data.avatar).not.toBe(user.data.avatar);
  const both = plinth.auth.update({ data: { avatar: picture('x') }, role: 'y' });
  expect(isPlinthError(await both.catch((error: unknown) => error))).toBe(false);
});
