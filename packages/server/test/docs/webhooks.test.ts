// @postgres newest
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorCatalogue } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { rights } from '../../src/features/management/index.ts';
import { Client } from '../support/client.ts';
import { newManager, newProject } from '../support/management/dashboard.ts';
import { blocksOf, readPage } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';
import { startReceiver } from '../support/webhooks.ts';

const page = readPage('docs/webhooks.md');
const t = useTestApp({ OUTBOUND_ALLOW: '127.0.0.1' });

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  await using receiver = await startReceiver();
  return Number(new URL(receiver.url).port);
}

test('the receiver of docs/webhooks.md takes what is signed, and nothing else', async () => {
  const { text: program } = blocksOf(page).find(({ language }) => language === 'js')!;
  // Beside this file, where the library can be found.
  const path = fileURLToPath(new URL(`./receiver-${process.pid}.mjs`, import.meta.url));
  await writeFile(path, program);
  const port = await freePort();
  const ada = await newManager(t, 'ada@example.com');
  const { ref, apiKey } = await newProject(ada);
  const api = new Client(t.url, { 'x-api-key': apiKey });
  await api.post('/collections', { name: 'orders' });
  const wish = JSON.parse(/^\{[\s\S]*^\}/m.exec(blocksOf(page)[0]!.text)![0]) as Record<string, unknown>;
  const url = `http://127.0.0.1:${port}/`;
  const events = ['orders.create', 'orders.update'];
  const made = await ada.post(`/projects/${ref}/webhooks`, { ...wish, events, url });
  expect(made.status, made.text).toBe(201);
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: String(made.body.data.secret) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  try {
    await expect.poll(async () => (await fetch(url).catch(() => undefined))?.status).toBe(401);
    const { id } = (await api.post('/collections/orders', { status: 'paid', total: 120 })).body.data;
    await expect.poll(() => printed).toBe(`orders.create ${id}\n`);
  } finally {
    child.kill();
    await once(child, 'close');
    await rm(path);
  }
});

test('docs/webhooks.md shows what is sent as it is sent', async () => {
  const { by: _by, ...shown } = JSON.parse(blocksOf(page)[1]!.text) as Record<string, unknown>;
  await using receiver = await startReceiver();
  const ada = await newManager(t, 'eve@example.com');
  const { ref, apiKey } = await newProject(ada);
  const api = new Client(t.url, { 'x-api-key': apiKey });
  await api.post('/collections', { name: 'orders' });
  await ada.post(`/projects/${ref}/webhooks`, { url: receiver.url, events: ['orders.update'] });
  const { id } = (await api.post('/collections/orders', { status: 'new', total: 120 })).body.data;
  await api.patch(`/collections/orders/${id}`, { status: 'paid' });
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ event }] = receiver.received as [(typeof receiver.received)[0]];
  // Nobody was signed in here.
  expect(Object.keys(event).toSorted()).toEqual(Object.keys(shown).toSorted());
  expect(event).toMatchObject({
    ...shown,
    id: event.id,
    at: event.at,
    document: { id },
    before: { id },
  });
});

test('docs/webhooks.md names every call there is, and errors by their status', () => {
  const routes = Object.keys(rights).filter((route) => route.includes('/webhooks'));
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ');
    const path = url.replace('/management/projects/:ref', '').replaceAll(/:(\w+)/g, '{$1}');
    const named =
      page.includes(`${method} …${path}`) || page.includes(`${method} /management/projects/{ref}${path}`);
    expect({ route, named }).toEqual({ route, named: true });
  }
  expect(page).toContain(`${errorCatalogue.too_many_deliveries.status} \`too_many_deliveries\``);
});
