// @postgres newest
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { CodeFolder } from '../support/code/code-folder.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';

const orders = `import { task } from '@plinth/runtime';
export default task<{ total: number }>((event, ctx) => {
  if (event.payload.total < 0) throw new RangeError('A total is negative.');
  ctx.log.info(ctx.config.get('SHOP'), event.payload.total);
});
`;

const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testProject } from '@plinth/runtime/testing';
const project = await testProject();
`;

async function codeFolder(files: Record<string, string>): Promise<CodeFolder> {
  const folder = await CodeFolder.make({ 'package.json': '{"type":"module"}', ...files });
  await folder.install();
  return folder;
}

const run = (folder: CodeFolder, ...args: string[]) =>
  new PlinthProcess(['functions', 'test', ...args], {}, folder.path).ended;

async function databases(): Promise<string[]> {
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const { rows } = await client.query(`SELECT datname FROM pg_database WHERE datname LIKE 'plinth_test_%'`);
  await client.end();
  return rows.map(({ datname }) => String(datname));
}

test('tests run against the code of the folder, in a database of their own, of which nothing is left', async () => {
  await using folder = await codeFolder({
    '.env': 'SHOP=Orchard\n',
    '.env.test': 'SHOP=Test shop\n',
    'functions/orders.ts': orders,
    'functions/refunds.ts': orders,
    'functions/answer.ts': `export const access = 'users';
      export default (request: Request, ctx: { user: { email: string } | null }) =>
        new Response(ctx.user?.email ?? 'server', { status: 202, headers: { 'x-own': request.method } });`,
    'functions/orders.test.ts': `${head}
test('a task runs, with the variables of tests', async () => {
  const done = await project.run('orders', { total: 3 });
  assert.deepEqual([done.kind, done.outcome, done.logs[0]?.text], ['task', 'ok', 'Test shop 3']);
  const failed = await project.run('refunds', { total: -1 });
  assert.equal(failed.error?.message, 'A total is negative.');
  assert.match(failed.error?.stack ?? '', /functions\\/refunds\\.ts:3:/);
  assert.equal((await project.runs('orders')).length, 1);
});
`,
    'tests/answer.test.ts': `${head}
test('a function answers the server and users', async () => {
  const response = await project.invoke('answer', { method: 'PUT' });
  assert.deepEqual([response.status, response.headers.get('x-own'), await response.text()], [202, 'PUT', 'server']);
  const app = project.newApp();
  await app.auth.signUp({ email: 'ada@example.com', password: 'correct horse' });
  assert.equal(app.auth.user?.email, 'ada@example.com');
  // What ran for another file was not for this one.
  await assert.rejects(project.nextRun('orders'), /"orders" did not run within 10 seconds/);
});
`,
  });
  const TMPDIR = join(folder.path, 'tmp');
  await mkdir(TMPDIR);
  const args = ['functions', 'test', '--database-url', inject('postgresUrl')];
  const { code, stdout, stderr } = await new PlinthProcess(args, { TMPDIR }, folder.path).ended;
  expect({ code, stderr }, stdout).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/pass 2\n[^]*All tests passed\.\n$/);
  expect(await databases()).toEqual([]);
  expect(await readdir(TMPDIR)).toEqual([]);
});

test('a test that fails fails the command, and what failed in functions is shown', async () => {
  await using folder = await codeFolder({
    'functions/orders.ts': orders,
    'functions/good.test.ts': `${head}test('nothing', () => {});\n`,
    'functions/bad.test.ts': `${head}
test('an order', async () => assert.equal((await project.run('orders', { total: -1 })).outcome, 'ok'));
`,
  });
  const url = inject('postgresUrl');
  const failed = await run(folder, '--database-url', url);
  expect(failed).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/fail 1\n[^]*Some tests failed\.\n$/),
  });
  expect(failed.stderr).toMatch(
    /orders {2}failed {2}\d+ ms\n {2}error {2}RangeError: A total is negative\.\n {4}at .*orders\.ts:3:/,
  );
  expect(await run(folder, '--database-url', url, 'functions/good.test.ts')).toMatchObject({ code: 0 });
  await folder.write('functions/orders.ts', 'export default {');
  expect((await run(folder, '--database-url', url)).stderr).toMatch(/^functions\/orders\.ts:1:/);
  expect(await databases()).toEqual([]);
});

test('a run that is broken off leaves nothing behind', async () => {
  await using folder = await codeFolder({
    'functions/orders.ts': orders,
    'functions/endless.test.ts': `${head}
test('it never ends', async () => {
  process.stdout.write('It has begun.');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
`,
  });
  const args = ['functions', 'test', '--database-url', inject('postgresUrl')];
  await using started = new PlinthProcess(args, {}, folder.path);
  await started.untilPrinted('stdout', /It has begun\./);
  expect((await started.stop('SIGTERM')).code).toBe(1);
  expect(await databases()).toEqual([]);
});

test('a folder whose package.json has vitest is tested with it', async () => {
  await using folder = await codeFolder({
    'package.json': '{"type":"module","devDependencies":{"vitest":"*"}}',
    'functions/orders.ts': orders,
    'functions/orders.test.ts': `import { expect, test } from 'vitest';
import { testProject } from '@plinth/runtime/testing';
test('a task runs', async () => {
  const project = await testProject();
  expect((await project.run('orders', { total: 1 })).outcome).toBe('ok');
});
`,
  });
  const { code, stdout, stderr } = await run(folder, '--database-url', inject('postgresUrl'));
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/1 passed[^]*All tests passed\.\n$/);
});

test('a folder without tests is told what a test is', async () => {
  await using folder = await codeFolder({ 'functions/orders.ts': orders });
  expect(await run(folder)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No tests found./),
  });
});
