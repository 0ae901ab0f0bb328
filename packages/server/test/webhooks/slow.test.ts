import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendWebhook } from '../../src/features/webhooks/send-webhook.ts';
import { Outbound } from '../../src/platform/outbound/outbound.ts';
import { Client } from '../support/client.ts';
import { type Manager, newManager, newProject } from '../support/management/dashboard.ts';
import { useMailApp } from '../support/people/mail-app.ts';
import { startReceiver } from '../support/webhooks.ts';

const t = useMailApp({ OUTBOUND_ALLOW: '127.0.0.0/8' });
let ada: Manager;
let at: string;
let api: Client;
beforeAll(async () => {
  ada = await newManager(t, 'ada@example.com');
  const { ref, apiKey } = await newProject(ada);
  api = new Client(t.url, { 'x-api-key': apiKey });
  at = `/projects/${ref}/webhooks`;
  await api.post('/collections', { name: 'orders' });
});

const outbound = new Outbound({ allowed: '127.0.0.1', timeoutMs: 400 });
const patient = new Outbound({ allowed: '127.0.0.1', timeoutMs: 10_000 });
afterAll(() => Promise.all([outbound.close(), patient.close()]));

test('a receiver that does not answer, and one that never ends, fail when their time is over', async () => {
  const target = (url: string) => ({ url, secrets: [{ secret: 'whsec_c2VjcmV0', expiresAt: null }] });
  await using silent = await startReceiver(() => {});
  const begunAt = performance.now();
  const outcome = await sendWebhook(outbound, target(silent.url), { id: 'x', body: '{}' });
  expect(outcome).toMatchObject({
    kind: 'failed',
    error: expect.stringContaining('did not respond in time'),
  });
  expect(performance.now() - begunAt).toBeLessThan(20_000);
  await using trickling = await startReceiver((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 50);
    response.once('close', () => clearInterval(timer));
  });
  const trickled = await sendWebhook(outbound, target(trickling.url), { id: 'x', body: '{}' });
  expect(trickled).toMatchObject({ kind: 'failed', error: expect.stringContaining('in time') });
  const gone = await startReceiver();
  await gone[Symbol.asyncDispose]();
  const nobody = await sendWebhook(patient, target(gone.url), { id: 'x', body: '{}' });
  expect(nobody).toMatchObject({ kind: 'failed', error: expect.stringContaining('refused the connection') });
});

test('a webhook that hangs holds up neither writers nor another webhook', async () => {
  const stuck = Promise.withResolvers<void>();
  let open = 0;
  let mostOpen = 0;
  await using slow = await startReceiver(async (response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once('close', () => {
      open -= 1;
    });
    await stuck.promise;
    response.end();
  });
  await using quick = await startReceiver();
  for (const { url } of [slow, quick]) await ada.post(at, { url, events: ['orders.*'] });
  const begunAt = performance.now();
  for (let number = 0; number < 30; number += 1)
    expect((await api.post('/collections/orders', { number })).status).toBe(201);
  await expect.poll(() => quick.received.length).toBe(30);
  console.log(
    `30 writes were told in ${(performance.now() - begunAt).toFixed(0)} ms beside a webhook that hangs`,
  );
  expect(mostOpen).toBeLessThanOrEqual(10);
  stuck.resolve();
  // What took 15 seconds until here is sent again, after a pause.
  const told = () => new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size;
  await expect.poll(told, { timeout: 120_000 }).toBe(30);
  const { data } = (await ada.get(at)).body;
  for (const { id } of data) await ada.delete(`${at}/${id}`);
});

test('the owner gets a mail when the service disables a webhook', async () => {
  await using receiver = await startReceiver((response) => response.writeHead(410).end());
  await ada.post(at, { url: receiver.url, events: ['orders.create'] });
  await api.post('/collections/orders', { number: 1 });
  const mail = await t.mail.mailTo(ada.email, 'was disabled');
  expect(mail.text).toContain('permanently gone (410)');
  expect(mail.text).toMatch(/\/dashboard\/p\/[a-z0-9]{12}\/audit/);
});
