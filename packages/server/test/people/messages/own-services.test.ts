// @postgres newest
import { expect, test } from 'vitest';
import {
  setProjectSecret,
  setTestReceivers,
  unsetProjectSecret,
} from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newPerson } from '../../support/people/people.ts';

const t = useMailApp();

const secret = (name: string, value: unknown) =>
  setProjectSecret(t.control, openVault(t.config), { ref: t.projects[0].ref, name, value });

test('a project with a mail server of its own sends through it, and the others through the deployment’s', async () => {
  await using own = await startMailServer({ auth: { user: 'shop', pass: 'open sesame' } });
  const { port } = new URL(own.url);
  await secret('mail', {
    host: '127.0.0.1',
    port: Number(port),
    tls: 'none',
    user: 'shop',
    password: 'open sesame',
    from: 'hello@shop.example',
    reply_to: 'help@shop.example',
  });
  const person = await newPerson(t);
  const mail = await own.mailTo(person.email, 'Welcome');
  expect(mail.from).toBe('hello@shop.example');
  expect(mail.headers).toMatchObject({ 'reply-to': expect.stringContaining('help@shop.example') });
  expect(mail.messageId).toMatch(/@shop\.example>$/);
  const other = await newPerson(t, { project: 1 });
  expect((await t.mail.mailTo(other.email, 'Welcome')).from).toBe('no-reply@plinth.example');
  await unsetProjectSecret(t.control, t.projects[0].ref, 'mail');
  const third = await newPerson(t);
  await t.mail.mailTo(third.email, 'Welcome');
});

test('a gateway that speaks as Twilio does gets the text message', async () => {
  await t.setKey('ENABLE_PHONE_LOGIN', true);
  await t.giveGateway('twilio');
  const person = await newPerson(t);
  await person.me.post('/auth-collections/phone/send-code', { phone: '+15551234567' });
  expect((await t.sms.messageTo('+15551234567')).text).toMatch(/\d{6}/);
  await t.mail.mailTo(person.email, 'Welcome');
});

test('mails that the server refuses for now are sent later, under the same name', async () => {
  const before = t.mail.attempts;
  t.mail.refuseNext(1);
  const person = await newPerson(t);
  const mail = await t.mail.mailTo(person.email, 'Welcome');
  expect(mail.messageId).toMatch(new RegExp(`^<${t.projects[0].ref}-[0-9a-f-]{36}@plinth.example>$`));
  expect(t.mail.attempts - before).toBe(2);
});

test('texts are replaced, previewed, sent as a test, and given back', async () => {
  const url = '/auth-collections/templates/welcome/en';
  const text = { subject: 'Hello from {{app_name}}', body: 'Good to have you.\n\n{{login_url}}' };
  const preview = await t.api.post(`${url}/preview`, text);
  expect(preview.body.data).toMatchObject({
    subject: 'Hello from test',
    text: expect.stringContaining('Good to have'),
  });
  expect((await t.api.put(url, text)).body.data).toMatchObject({ ...text, is_own: true });
  await setTestReceivers(t.control, t.projects[0].ref, ['me@example.com']);
  expect((await t.api.post(`${url}/test`, { to: 'me@example.com' })).status).toBe(200);
  await t.mail.mailTo('me@example.com', 'Hello from test');
  const person = await newPerson(t);
  await t.mail.mailTo(person.email, 'Hello from test');
  expect((await t.api.delete(url)).body.data.is_own).toBe(false);
  expect((await t.api.get('/auth-collections/templates')).body.data).toHaveLength(32);
  const wrong = await t.api.put(url, { subject: 'x', body: 'Hi {{nmae}}' });
  expect(wrong.body.error).toMatchObject({
    code: 'invalid_template',
    message: expect.stringContaining('{{name}}'),
  });
});

test('mails are in the language of the call, else in the project’s', async () => {
  const email = `${Math.random().toString(36).slice(2)}@example.com`;
  const headers = { 'accept-language': 'de-AT, en;q=0.5' };
  await t.anonymous.post(
    `/p/${t.projects[1].ref}/auth-collections/signup`,
    { email, password: 'correct horse' },
    { headers },
  );
  expect((await t.mail.mailTo(email)).subject).toMatch(/Willkommen/);
});
