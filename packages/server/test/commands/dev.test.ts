// @postgres newest
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';
import { DevFolder, type DevLine, isRunning } from './dev-folder.ts';

// One folder through its life: each test goes on where the one before it ended.
let folder: DevFolder;
let process: PlinthProcess;
let line: DevLine;
beforeAll(async () => {
  folder = await DevFolder.make();
});
afterAll(() => folder[Symbol.asyncDispose]());

const api = () => new Client(line.baseUrl, { 'x-api-key': line.apiKey });

test('the first start makes everything, and says in one line of JSON where it answers', async () => {
  const startedAt = performance.now();
  ({ process, line } = await folder.start());
  console.log(`plinth dev answered ${Math.round(performance.now() - startedAt)} ms after its first start.`);
  expect(line).toEqual({
    baseUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    projectUrl: `${line.baseUrl}/p/${line.projectRef}`,
    projectRef: expect.stringMatching(/^[a-z0-9]{12}$/),
    apiKey: expect.stringMatching(/^plk_[a-z0-9]{43}$/),
    dashboardUrl: expect.stringContaining(`${line.baseUrl}/dashboard/p/${line.projectRef}#token=`),
  });
  expect((await api().post('/collections', { name: 'posts' })).status).toBe(201);
  const onAddress = await fetch(`${line.projectUrl}/collections`, { headers: { 'x-api-key': line.apiKey } });
  expect(onAddress.status).toBe(200);
  expect(isRunning(folder.postgresPid()!)).toBe(true);
});

test('pages of this machine may call it; each other one is named once, with what allows it', async () => {
  const from = (origin: string) => api().get('/collections', { headers: { origin } });
  for (const origin of ['http://localhost', 'http://localhost:61234', 'http://127.0.0.1:3001']) {
    const { status, headers } = await from(origin);
    expect({ status, origin: headers.get('access-control-allow-origin') }).toEqual({ status: 200, origin });
  }
  for (const origin of ['https://localhost:1', 'http://localhost.evil.example', 'http://192.168.7.7:3000'])
    for (const _ of [1, 2]) expect((await from(origin)).body.error.code).toBe('origin_not_allowed');
  await process.untilPrinted('stderr', /192\.168\.7\.7/);
  const named = process.stderr.trimEnd().split('\n');
  expect(named).toHaveLength(3);
  expect(named[2]).toContain(`plinth project add-origin ${line.projectRef} http://192.168.7.7:3000`);
});

test('a browser finds its way from the base address, and the reference has the key, on this machine alone', async () => {
  expect((await fetch(line.baseUrl)).status).toBe(404);
  const home = await fetch(line.baseUrl, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(home.headers.get('content-type')).toContain('text/html');
  const links = Array.from((await home.text()).matchAll(/<a href="([^"]+)"/g), ([, href]) => href);
  // The guide has a test of its own, where it is built.
  expect(links).toEqual(['/dashboard', '/guide/', '/docs', '/openapi.json', '/dev/mail']);
  for (const link of links.filter((link) => link !== '/guide/'))
    expect((await fetch(`${line.baseUrl}${link}`)).status).toBe(200);
  const reference = await (await fetch(`${line.baseUrl}/docs`)).text();
  expect(reference).toContain('<title>Plinth: API reference</title>');
  expect(reference).toContain(line.apiKey);
  const elsewhere = await fetch(`${line.baseUrl}/docs`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(await elsewhere.text()).not.toContain(line.apiKey);
});

test('other commands find it by its folder', async () => {
  const named = (...args: string[]) => new PlinthProcess([...args, '--data-dir', folder.path]).ended;
  const shown = await named('project', 'show', line.projectRef);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(line.projectRef) });
  const nobody = await new PlinthProcess(['jobs', 'list', '--data-dir=/nowhere']).ended;
  expect(nobody).toMatchObject({ code: 1, stderr: 'No plinth dev is running with its data in /nowhere.\n' });
});

test('a second one in the same folder is refused, and the first keeps running', async () => {
  const { code, stdout, stderr } = await folder.run('--json').ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`Another plinth dev (process ${process.pid}) is using ${folder.path}`);
  expect((await api().get('/collections')).status).toBe(200);
});

test('after kill -9 it starts again, with the same key and the same data', async () => {
  const before = line;
  const abandoned = folder.postgresPid()!;
  await api().post('/collections/posts', { kept: true });
  await process.stop('SIGKILL');
  expect(isRunning(abandoned)).toBe(true);
  ({ process, line } = await folder.start());
  const changing = { baseUrl: '', projectUrl: '', dashboardUrl: '' };
  expect({ ...line, ...changing }).toEqual({ ...before, ...changing });
  expect((await api().get('/collections/posts')).body.data).toMatchObject([{ kept: true }]);
  expect(isRunning(abandoned)).toBe(false);
});

test('Ctrl-C ends it with 0 and leaves no PostgreSQL behind', async () => {
  const postgres = folder.postgresPid()!;
  const ended = await process.stop('SIGINT');
  expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(isRunning(postgres)).toBe(false);
  expect(existsSync(join(folder.path, 'dev.pid'))).toBe(false);
});

test('Ctrl-C while it starts leaves no PostgreSQL behind either', async () => {
  const starting = folder.run('--json');
  await expect.poll(() => folder.postgresPid(), { interval: 5 }).toBeDefined();
  const postgres = folder.postgresPid()!;
  await starting.stop('SIGINT');
  expect(starting.stdout).toBe('');
  expect(isRunning(postgres)).toBe(false);
});

test('of two started at the same moment one serves and one is refused', async () => {
  const both = [folder.run('--json'), folder.run('--json')];
  const first = await Promise.race(both.map(({ ended }) => ended));
  const other = both.find(({ isRunning }) => isRunning)!;
  expect(first).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Another plinth dev') });
  line = JSON.parse(await other.untilPrinted('stdout', /^(.+)\n/));
  expect((await api().get('/collections/posts')).body.total).toBe(1);
  expect((await other.stop('SIGTERM')).code).toBe(0);
});
