// @postgres newest
import { expect, test } from 'vitest';
import { setProjectSecret, setTestReceivers } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { flowProject, giveGatewayTo, newPhone, signUpAt } from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';

const t = useMailApp({ TIERS: JSON.stringify({ enterprise: { mailsPerDay: 3, textsPerDay: 2 } }) });

test('18: a project sends so many mails a day', async () => {
  const project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true } });
  const { me, email } = await signUpAt(t, project);
  expect((await me.post('/auth-collections/verify-email/send')).status).toBe(200);
  await setTestReceivers(t.control, project.ref, ['sam@example.com']);
  const test = () =>
    project.api.post('/auth-collections/templates/welcome/en/test', { to: 'sam@example.com' });
  expect((await test()).status).toBe(200);
  const refused = await test();
  expect(refused.body.error).toMatchObject({
    code: 'quota_exceeded',
    details: { quota: 'mailsPerDay', limit: 3, used: 3 },
  });
  // Whoever waits for a mail is told, whether there is such a user or not.
  for (const address of [email, 'nobody@example.com']) {
    const reply = await project.door.post('/auth-collections/forgot-password', { email: address });
    expect(reply).toFailWith(403, 'quota_exceeded');
  }
  // A sign-up does not depend on its mail.
  await signUpAt(t, project);
  expect((await project.api.get('/usage')).body.data.mailsPerDay).toEqual({ used: 3, limit: 3 });
});

test('18: and so many text messages', async () => {
  const project = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: true } });
  await giveGatewayTo(t, project);
  const send = () => project.api.post('/auth-collections/templates/sms-code/en/test', { to: newPhone() });
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  expect((await send()).body.error).toMatchObject({ details: { quota: 'textsPerDay', limit: 2, used: 2 } });
});

test('a mail of the project’s own takes from the quota for each receiver, and past it goes to nobody', async () => {
  const project = await flowProject(t);
  const { port } = new URL(t.mail.url);
  const value = { host: '127.0.0.1', port: Number(port), tls: 'none', from: 'hello@shop.example' };
  await setProjectSecret(t.control, openVault(t.config), { ref: project.ref, name: 'mail', value });
  const mail = (receivers: number) => ({
    to: Array.from({ length: receivers }, newEmail),
    subject: 'Hello',
    text: 'Hello.',
  });
  expect((await project.api.post('/messages', mail(2))).status).toBe(201);
  expect(await project.api.post('/messages', mail(2))).toFailWith(403, 'quota_exceeded');
  expect((await project.api.get('/messages')).body.data).toHaveLength(2);
});
