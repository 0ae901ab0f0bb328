// @postgres newest
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { emptyDatabase } from '../support/nodes/empty-database.ts';
import { DevFolder, isRunning } from './dev-folder.ts';

const shell = (command: string) => promisify(execFile)('sh', ['-c', command]);
let folder: DevFolder;
let databaseUrl: string;
beforeAll(async () => {
  folder = await DevFolder.make();
  databaseUrl = await emptyDatabase();
});
afterAll(() => folder[Symbol.asyncDispose]());

test('with a PostgreSQL of one’s own, what it prints can be pasted and works, the first time and later', async () => {
  const answers: { data: unknown }[] = [];
  for (const title of ['Create your first collection:', 'Your collections:']) {
    const process = folder.run('--database-url', databaseUrl);
    const printed = await process.untilPrinted('stdout', /Plinth is running[^]*\n {2}curl .*\n/);
    expect(printed).toContain(title);
    for (const name of ['Base URL', 'Project', 'API key', 'Reference'])
      expect(printed).toContain(`  ${name}`);
    const { stdout } = await shell(`${/^ {2}(curl .*)$/m.exec(printed)![1]} --silent`);
    answers.push(JSON.parse(stdout));
    const reference = /http:\S+\/docs/.exec(printed)![0];
    expect(await (await fetch(reference)).text()).toContain('<!doctype html>');
    expect(await process.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  }
  const { process: first, line } = await folder.start('--database-url', databaseUrl);
  const api = new Client(line.baseUrl, { 'x-api-key': line.apiKey });
  await api.patch('/collections/posts', { settings: { rules: { update: '@user.data.boss=true' } } });
  await first.stop('SIGINT');
  const advised = folder.run('--database-url', databaseUrl);
  await advised.untilPrinted('stderr', /Advice {8}A rule of "posts" trusts @user\.data/);
  await advised.stop('SIGINT');
  expect(answers).toMatchObject([
    { success: true, data: { name: 'posts' } },
    { success: true, data: [{ name: 'posts' }] },
  ]);
  expect(existsSync(join(folder.path, 'postgres'))).toBe(false);
});

test('the key is kept for the owner of the folder alone, and not believed by another database', async () => {
  const kept = JSON.parse(readFileSync(join(folder.path, 'project.json'), 'utf8'));
  const { mode } = await import('node:fs').then(({ statSync }) =>
    statSync(join(folder.path, 'project.json')),
  );
  expect(mode & 0o077).toBe(0);
  const { process, line } = await folder.start('--database-url', await emptyDatabase());
  expect(line.apiKey).not.toBe(kept.apiKey);
  expect((await new Client(line.baseUrl, { 'x-api-key': line.apiKey }).get('/collections')).status).toBe(200);
  await process.stop('SIGINT');
});

test('a port in use is said to be, and the folder is free again', async () => {
  const { process, line } = await folder.start('--database-url', databaseUrl);
  await using other = await DevFolder.make();
  const args = ['--json', '--database-url', databaseUrl, '--port', new URL(line.baseUrl).port];
  const { code, stdout, stderr } = await other.run(...args).ended;
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${new URL(line.baseUrl).port} is in use. Choose another with --port.\n`,
  });
  expect(existsSync(join(other.path, 'dev.pid'))).toBe(false);
  await process.stop('SIGINT');
});

test('mistakes are told without a stack', async () => {
  const mistakes: [string[], RegExp][] = [
    [['--port', 'http'], /--port must be a number/],
    [['--port', '70000', '--database-url', databaseUrl], /--port must be a number/],
    [['--host', '203.0.113.7'], /does not have the address 203\.0\.113\.7/],
    [['--data-dir', '/proc/none/data'], /The data folder \/proc\/none\/data cannot be created/],
    [['--data-dir', '/dev/null/data'], /The data folder \/dev\/null\/data cannot be created/],
    [['--prot', '1'], /--prot/],
    [['--database-url', 'mysql://x'], /DATABASE_URL/],
    [['--database-url', 'postgres://x@127.0.0.1:1/x'], /cannot be used/],
  ];
  const runs = await Promise.all(
    mistakes.map(async ([args]) => {
      await using other = await DevFolder.make();
      return await other.run(...args).ended;
    }),
  );
  for (const [at, { code, stdout, stderr }] of runs.entries()) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(mistakes[at]![1]);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  }
});

test('a process that happens to have the number of an old PostgreSQL is left alone', async () => {
  await using other = await DevFolder.make();
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    const first = await other.start();
    const cluster = join(other.path, 'postgres', 'cluster');
    const file = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
    await first.process.stop('SIGINT');
    // As after a power cut: the file is still there, and the number was given to somebody else since.
    await writeFile(join(cluster, 'postmaster.pid'), file.replace(/^\d+/, String(stranger.pid)));
    const again = other.run('--json');
    expect(await again.untilPrinted('stdout', /^(.+)\n/)).toMatch(/^\{/);
    expect(isRunning(stranger.pid!)).toBe(true);
  } finally {
    stranger.kill();
  }
});
