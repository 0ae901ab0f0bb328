// @postgres newest
import { expect, test } from 'vitest';
import { runProjectCommand } from '../../src/commands/project.ts';
import { newProjectRef } from '../../src/platform/crypto/secrets.ts';
import { isRefused, untilAnswer } from '../support/calls/until-answer.ts';
import { Client } from '../support/client.ts';
import { emptyDatabase } from '../support/nodes/empty-database.ts';
import { runPlinth } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

const run = (...args: string[]) => runProjectCommand(t.config, args);
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
const withKey = (apiKey: string) => new Client(t.url, { 'x-api-key': apiKey });

test('create gives a key that works, shown only then', async () => {
  const created = await json('create', 'Blog', '--tier', 'pro');
  expect(created).toMatchObject({
    ref: expect.stringMatching(/^[a-z0-9]{12}$/),
    name: 'Blog',
    tier: 'pro',
    rateLimit: 1000,
    allowedOrigins: [],
    responseFormat: 'envelope',
    apiKey: expect.stringMatching(/^plk_[a-z0-9]{43}$/),
  });
  expect((await withKey(created.apiKey).get('/collections')).status).toBe(200);
  expect(await json('show', created.ref)).not.toHaveProperty('apiKey');
  expect(await run('show', created.ref)).not.toContain('plk_');
  expect(await run('create', 'Shop')).toMatch(/apiKey +plk_.*The API key is only shown once/s);
});

test('list and show tell of every project', async () => {
  const { ref } = await json('create', 'Listed');
  const lines = (await run('list')).split('\n');
  expect(lines.find((line) => line.startsWith(ref))).toMatch(/enterprise +Listed$/);
  const records = (await run('list', '--json')).split('\n').map((line) => JSON.parse(line));
  const { services, ...shown } = await json('show', ref);
  expect(records.find((record) => record.ref === ref)).toEqual(shown);
  expect(services).toEqual([]);
});

test('regenerate-key gives a new key and ends the old one', async () => {
  const { ref, apiKey } = await json('create', 'Leaked');
  expect((await withKey(apiKey).get('/collections')).status).toBe(200);
  const { apiKey: newKey } = await json('regenerate-key', ref);
  expect(newKey).not.toBe(apiKey);
  await untilAnswer(
    () => withKey(newKey).get('/collections'),
    ({ status }) => status === 200,
  );
  await untilAnswer(() => withKey(apiKey).get('/collections'), isRefused);
});

test('set-tier, with and without an agreed limit', async () => {
  const { ref, apiKey } = await json('create', 'Tiers');
  expect(await json('set-tier', ref, 'free')).toMatchObject({ tier: 'free', rateLimit: 60 });
  expect(await json('set-tier', ref, 'enterprise', '--rate-limit', '5000')).toMatchObject({
    rateLimit: 5000,
  });
  expect((await withKey(apiKey).get('/collections')).headers.get('x-ratelimit-limit')).toBe('5000');
  expect(await json('set-tier', ref, 'enterprise')).toMatchObject({ rateLimit: 1_000_000 });
});

test('set-origins replaces the list; without any it is empty', async () => {
  const { ref, apiKey } = await json('create', 'Pages');
  const origins = ['https://a.example', 'http://localhost:5173'];
  expect(await json('set-origins', ref, ...origins, origins[0]!)).toMatchObject({ allowedOrigins: origins });
  const reply = await withKey(apiKey).get('/collections', { headers: { origin: 'https://a.example' } });
  expect(reply.headers.get('access-control-allow-origin')).toBe('https://a.example');
  expect(await json('set-origins', ref)).toMatchObject({ allowedOrigins: [] });
});

test('add-origin and remove-origin change the list by one', async () => {
  const { ref } = await json('create', 'Two pages');
  await json('add-origin', ref, 'https://a.example');
  const both = await json('add-origin', ref, 'https://b.example');
  expect(both).toMatchObject({ allowedOrigins: ['https://a.example', 'https://b.example'] });
  expect(await json('add-origin', ref, 'https://a.example')).toMatchObject(both);
  expect(await json('remove-origin', ref, 'https://a.example')).toMatchObject({
    allowedOrigins: ['https://b.example'],
  });
  await expect(json('remove-origin', ref, 'https://a.example')).rejects.toThrow(
    'is not one of the allowed origins',
  );
  await expect(json('add-origin', ref, '*')).rejects.toThrow('wildcard');
});

test('set-response-format', async () => {
  const { ref, apiKey } = await json('create', 'Bare');
  expect(await json('set-response-format', ref, 'bare')).toMatchObject({ responseFormat: 'bare' });
  expect((await withKey(apiKey).get('/collections')).body).toEqual([]);
  expect(await json('set-response-format', ref, 'envelope')).toMatchObject({ responseFormat: 'envelope' });
});

test('delete removes the project and all it had, and nothing else', async () => {
  const { ref, apiKey, cell } = await json('create', 'Gone');
  const kept = await t.createProject();
  for (const api of [withKey(apiKey), kept.api]) {
    await api.post('/collections', { name: 'posts' });
    await api.post('/collections/posts/batch', { documents: [{}, {}, {}] });
  }
  const { rows } = await t.cells.pool(1).query('SELECT id FROM control.projects WHERE ref = $1', [ref]);
  expect(await run('delete', ref, '--yes')).toContain(ref);
  for (const table of [
    'collections',
    'documents',
    'document_counts',
    'idempotency_keys',
    'project_numbers',
  ]) {
    const left = await t.cells
      .pool(cell)
      .query(`SELECT FROM cell.${table} WHERE project_id = $1`, [rows[0].id]);
    expect({ table, rows: left.rowCount }).toEqual({ table, rows: 0 });
  }
  await untilAnswer(() => withKey(apiKey).get('/collections'), isRefused);
  expect((await kept.api.get('/collections/posts')).body.total).toBe(3);
  await expect(run('show', ref)).rejects.toThrow(`There is no project "${ref}"`);
  await expect(run('delete', ref, '--yes')).rejects.toThrow(`There is no project "${ref}"`);
});

test('as a process: answers on stdout, what is wrong on stderr with exit code 1', async () => {
  const { DATABASE_URL, CELL_DATABASE_URLS } = t.config;
  const environment = { DATABASE_URL, CELL_DATABASE_URLS };
  const [created, wrong, unknownOption, unprepared] = await Promise.all([
    runPlinth(['project', 'create', 'From a shell', '--json'], environment),
    runPlinth(['project', 'show', newProjectRef()], environment),
    runPlinth(['project', 'list', '--jsn'], environment),
    runPlinth(['project', 'list'], { DATABASE_URL: await emptyDatabase() }),
  ]);
  expect({ code: created.code, stderr: created.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(created.stdout).name).toBe('From a shell');
  expect(wrong).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('plinth project list'),
  });
  expect(unknownOption).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--jsn') });
  expect(unprepared).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('plinth migrate'),
  });
});
