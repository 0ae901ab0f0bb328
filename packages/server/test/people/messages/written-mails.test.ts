// @postgres newest
import { expect, test } from 'vitest';
import { setProjectSecret, setTestReceivers } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { deploy } from '../../support/code/deploy.ts';
import { newKey } from '../../support/control/keys.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail, newPerson } from '../../support/people/people.ts';

const t = useMailApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

const hello = { subject: 'Your order', text: 'It is on its way.' };

/** Gives a project the mail server of the tests as its own, so that it may write to everybody. */
async function giveServer(ref: string): Promise<void> {
  const { port } = new URL(t.mail.url);
  const value = { host: '127.0.0.1', port: Number(port), tls: 'none', from: 'hello@shop.example' };
  await setProjectSecret(t.control, openVault(t.config), { ref, name: 'mail', value });
}

test('code writes a mail: it arrives as written, once for a key, and is on record', async () => {
  const { api, ref } = await t.createProject();
  await giveServer(ref);
  const to = newEmail();
  await deploy(api, {
    'order.js': `export default async (request, ctx) => {
      const mail = { to: ${JSON.stringify(to)}, subject: 'Füße & <b>Co</b>', text: 'Hello {{name}}', html: '<p>Hello {{name}}</p>' };
      const first = await ctx.mail.send(mail, { idempotencyKey: 'order-7' });
      const again = await ctx.mail.send(mail, { idempotencyKey: 'order-7' });
      return { first, again };
    }`,
  });
  const { body } = await api.post('/functions/order');
  expect(body.data.first).toMatchObject([{ to, status: 'waiting', template: 'custom' }]);
  expect(body.data.again).toEqual(body.data.first);
  const mail = await t.mail.mailTo(to);
  expect(mail).toMatchObject({ from: 'hello@shop.example', subject: 'Füße & <b>Co</b>' });
  expect(mail.text.trim()).toBe('Hello {{name}}');
  expect(mail.html.trim()).toBe('<p>Hello {{name}}</p>');
  await expect
    .poll(async () => (await api.get('/messages')).body.data)
    .toMatchObject([{ id: body.data.first[0].id, status: 'sent', to }]);
  expect(t.mail.mails.filter((one) => one.to.includes(to))).toHaveLength(1);
});

test('each receiver gets a mail of its own, which names nobody else', async () => {
  const { api, ref } = await t.createProject();
  await giveServer(ref);
  const [first, second] = [newEmail(), newEmail()];
  const to = [first, second, first.toUpperCase()];
  const reply = await api.post('/messages', { to, ...hello });
  expect(reply.status).toBe(201);
  expect(reply.body.data).toHaveLength(2);
  const mail = await t.mail.mailTo(second);
  expect(mail.to).toEqual([second]);
  expect(mail.raw).not.toContain(first);
  expect(mail.html).toBe('');
});

test('nothing that is sent becomes a header or a further receiver', async () => {
  const { api, ref } = await t.createProject();
  await giveServer(ref);
  const send = (wish: object) => api.post('/messages', { to: newEmail(), ...hello, ...wish });
  for (const subject of ['Hi\r\nBcc: eve@example.com', 'Hi\nX: 1', 'Hi\u0000', ''])
    expect({ subject, status: (await send({ subject })).status }).toEqual({ subject, status: 400 });
  const odd = [
    'a@b.example\r\nBcc: eve@example.com',
    'a@b.example, eve@example.com',
    'Eve <eve@example.com>',
    'group:a@b.example;',
    '"a b"@b.example',
    'nobody',
    [],
    Array.from({ length: 11 }, () => newEmail()),
  ];
  for (const to of odd) expect({ to, status: (await send({ to })).status }).toEqual({ to, status: 400 });
  expect(await send({ cc: 'eve@example.com' })).toFailWith(400, 'invalid_body');
  expect(await send({ text: 'x'.repeat(100_001) })).toFailWith(400, 'invalid_body');
  const to = newEmail();
  await send({ to, text: 'First\r\n.\r\nBcc: eve@example.com\r\n\r\nLast', subject: '=?utf-8?q?Hidden?=' });
  const mail = await t.mail.mailTo(to);
  expect(mail.to).toEqual([to]);
  expect(mail.headers).not.toHaveProperty('bcc');
  expect(mail.text).toContain('Last');
  expect(mail.subject).not.toBe('Hidden');
});

test('through the server of the service a project writes to its users and receivers of test mails only', async () => {
  const person = await newPerson(t);
  const [stranger, tester] = [newEmail(), newEmail()];
  await setTestReceivers(t.control, t.projects[0].ref, [tester]);
  for (const to of [stranger, [person.email, stranger]])
    expect(await t.api.post('/messages', { to, ...hello })).toFailWith(403, 'receiver_not_allowed');
  expect((await t.api.post('/messages', { to: [person.email, tester], ...hello })).status).toBe(201);
  await t.mail.mailTo(person.email, 'Your order');
  expect((await t.mail.mailTo(tester, 'Your order')).from).toBe('no-reply@plinth.example');
  expect(t.mail.mails.some(({ to }) => to.includes(stranger))).toBe(false);
});

test('only a server may send: not users, not strangers, not keys without the scope', async () => {
  const person = await newPerson(t);
  const mail = { to: person.email, ...hello };
  expect(await person.me.post('/messages', mail)).toFailWith(403, 'api_key_required');
  expect((await t.anonymous.post(`/p/${t.projects[0].ref}/messages`, mail)).status).toBeGreaterThan(400);
  const other = await newKey(t, ['mail:*', 'functions:call']);
  expect(await other.client.post('/messages', mail)).toFailWith(403, 'scope_missing');
  const { client } = await newKey(t, ['messages:send']);
  expect((await client.post('/messages', mail)).status).toBe(201);
  expect(await client.get('/messages')).toFailWith(403, 'scope_missing');
});

test('one address gets so many an hour, and the service’s own mails do not suffer from it', async () => {
  const person = await newPerson(t);
  const send = () => t.api.post('/messages', { to: person.email, ...hello });
  for (let count = 0; count < 30; count += 1) expect((await send()).status).toBe(201);
  expect(await send()).toFailWith(429, 'rate_limited');
  await t.anonymous.post(`/p/${t.projects[0].ref}/auth-collections/forgot-password`, { email: person.email });
  await t.mail.until(({ to, html }) => to.includes(person.email) && html.includes('reset-password'));
});
