// @postgres newest
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wireCall } from '../../support/calls/wire.ts';
import { Client } from '../../support/client.ts';
import { type PlinthProcess, startNode } from '../../support/nodes/plinth-process.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let node: PlinthProcess;
let url: string;
let key: string;
let keyInPath: string;
beforeAll(async () => {
  key = t.projects[0].apiKey;
  keyInPath = t.projects[1].apiKey;
  const { DATABASE_URL, CELL_DATABASE_URLS } = t.config;
  const started = await startNode({
    DATABASE_URL,
    CELL_DATABASE_URLS,
    LOG_LEVEL: 'trace',
    SHUTDOWN_DELAY_MS: '0',
  });
  node = started.process;
  url = started.url;
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

const names = [
  'api_key',
  'apikey',
  'x-api-key',
  'X-API-Key',
  'key',
  'token',
  'access_token',
  'authorization',
];

test('A9: a key in the query string is no credential, under any name', async () => {
  for (const address of [url, `${url}/p/${t.projects[0].ref}`]) {
    for (const name of names) {
      for (const value of [key, `Bearer%20${key}`]) {
        const reply = await new Client(address).get(`/collections?${name}=${value}`);
        expect(reply, name).toFailWith(401, 'credential_required');
        expect(reply.text).not.toContain(key);
      }
    }
  }
});

test('A9: a key in the path is no credential', async () => {
  for (const path of [`/collections/${keyInPath}`, `/collections/posts/${keyInPath}`]) {
    expect((await new Client(url).get(path)).status).toBe(401);
  }
  for (const path of [
    `/${keyInPath}/collections`,
    `/p/${keyInPath}/collections`,
    `/collections;${keyInPath}`,
  ]) {
    expect((await new Client(url).get(path)).status).toBe(404);
  }
  expect((await wireCall(url, { path: `http://${keyInPath}@plinth.test/collections` })).status).toBe(401);
});

test('A9: a key in a cookie or in the body is no credential', async () => {
  const inCookie = await wireCall(url, { path: '/collections', headers: { cookie: `x-api-key=${key}` } });
  expect(inCookie).toFailWith(401, 'credential_required');
  const inBody = await new Client(url).post('/collections', { name: 'posts', api_key: key });
  expect(inBody).toFailWith(401, 'credential_required');
});

test('A9: nothing a caller sends as a secret or as data is in the log, at any level', async () => {
  const canary = `canary${randomBytes(12).toString('hex')}`;
  const api = new Client(url, { authorization: `Bearer ${key}`, cookie: `session=${canary}` });
  await api.post('/collections', { name: 'letters' });
  const { body } = await api.post('/collections/letters', { text: canary, [canary]: 1 });
  await api.patch(`/collections/letters/${body.data.id}`, { text: `${canary} again` });
  await api.patch(`/collections/letters/${body.data.id}`, { $append: { text: canary } });
  await api.get(`/collections/letters?text=${canary}&${canary}__startswith=1`);
  await api.get(`/collections/letters?text__nothing=${canary}`);
  await api.post('/collections/letters', undefined, { raw: `{"text": "${canary}` });
  await api.post('/collections/letters', undefined, { raw: `{"text": "${canary}\\u0000"}` });
  await api.post('/collections/letters/batch', { documents: [{ text: canary }, { $no: canary }] });
  await api.post('/collections/letters', { text: canary }, { headers: { 'idempotency-key': canary } });
  await api.post('/collections/letters', undefined, {
    raw: canary,
    headers: { 'content-type': 'text/plain' },
  });
  // What breaks is logged: a connection that a database cuts off has secrets of its own.
  await t.cells.pool(1).query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'plinth%' AND pid <> pg_backend_pid()`);
  await node.untilPrinted('stderr', /database connection was lost/);
  // The keys of the tests above have passed through the log too.
  const { stdout, stderr, code } = await node.stop('SIGTERM');
  const lines = `${stdout}${stderr}`.split('\n');
  const linesWith = (text: string) => lines.filter((line) => line.includes(text));
  expect(lines.length).toBeGreaterThan(40);
  expect.soft(linesWith(canary), 'lines with data').toEqual([]);
  expect.soft(linesWith(key), 'lines with a key sent in a header or query').toEqual([]);
  expect.soft(linesWith(keyInPath), 'lines with a key sent in a path').toEqual([]);
  expect
    .soft(linesWith('secretKey'), 'lines with the key that cancels a connection’s statements')
    .toEqual([]);
  expect(code).toBe(0);
});
