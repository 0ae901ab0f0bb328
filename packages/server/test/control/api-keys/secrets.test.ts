// @postgres newest
import { expect, test } from 'vitest';
import { changeKey, createKey, listKeys } from '../../../src/features/control/api-keys/index.ts';
import { Client } from '../../support/client.ts';
import { dump, secretsIn } from '../../support/dump.ts';
import { LiveClient } from '../../support/live-client.ts';
import { startNodeOf } from '../../support/nodes/plinth-process.ts';
import { testApp } from '../../support/test-app.ts';

test('A9: after it was made, a key is in no answer, no table and no log', async () => {
  await using t = await testApp();
  const { ref } = t.projects[0];
  const { process: node, url } = await startNodeOf(t, { LOG_LEVEL: 'trace' });
  const { record, apiKey } = await createKey(t.control, { ref, name: 'canary', scopes: ['collection:a:*'] });
  await t.api.post('/collections', { name: 'a' });
  const client = new Client(url, { 'x-api-key': apiKey });
  const said: unknown[] = [record, await listKeys(t.control, ref)];
  const call = async (method: string, path: string, body?: unknown) =>
    said.push((await client.call(method, path, body)).text);
  await call('POST', '/collections/a', { n: 1 });
  await call('GET', '/collections/a');
  await call('GET', '/usage');
  // Whoever sends it there is told what it was that was sent.
  await client.get(`/collections/${apiKey}`);
  await call('POST', '/collections/a', 'no object');
  await client.post('/collections/a', {}, { headers: { 'idempotency-key': 'x' } });
  await call('POST', '/realtime/ticket');
  {
    await using live = await LiveClient.open(url, { 'x-api-key': apiKey });
    said.push(await live.refusal({ type: 'subscribe', id: 'b', collection: 'b' }), live.messages);
  }
  said.push(await changeKey(t.control, { ref, id: record.id }, { addresses: ['192.0.2.1'] }));
  await call('GET', '/collections/a');
  said.push(await changeKey(t.control, { ref, id: record.id }, { addresses: [], expiresAt: soon() }));
  await expect.poll(async () => (await client.get('/collections/a')).status).toBe(401);
  await call('GET', '/collections/a');
  const { stdout, stderr } = await node.stop('SIGTERM');
  const stored = await dump(t.cells.numbers.map((cell) => t.cells.pool(cell)));
  expect(stored).toContain(record.id);
  expect(stderr + stdout).toContain('/usage');
  const secrets = { key: apiKey, tail: apiKey.slice('plk_'.length) };
  expect(secretsIn(JSON.stringify(said), secrets)).toEqual([]);
  expect(secretsIn(stdout + stderr, secrets)).toEqual([]);
  expect(secretsIn(stored, secrets)).toEqual([]);
});

const soon = () => new Date(Date.now() + 300);
