// @postgres newest
import { expect, test } from 'vitest';
import { CodeFolder } from '../support/code/code-folder.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

async function newTarget() {
  const { ref, apiKey, api } = await t.createProject();
  return { url: `${t.url}/p/${ref}`, ref, apiKey, api };
}

/** What a folder of a real project has: TypeScript, a module of its own, a package, and what is no function. */
const shop = {
  'functions/orders.ts': `import type { Context } from '@plinth/runtime';
import shout from 'shout';
 import { total, type Line } from './parts/total.ts';

export const access: 'public' = 'public';

export default async (request: Request, ctx: Context) => {
  const { lines } = (await request.json()) as { lines: Line[] };
  ctx.log.info('adding', lines.length);
  return { total: total(lines), word: shout('thanks') };
};
`,
  'functions/welcome.ts': `import { onRegister } from '@plinth/runtime';
 import { total } from './parts/total.ts';
export default onRegister(async (event, ctx) => ctx.log.info(event.id, total([])));
`,
  'functions/night.mjs': `import { schedule } from '@plinth/runtime';
export default schedule('0 3 * * *', { timeZone: 'Europe/Berlin' }, () => {});
`,
  'functions/parts/total.ts': `export interface Line {
  readonly price: number;
}

export function total(lines: readonly Line[]): number {
  if (lines.some(({ price }) => price < 0)) throw new RangeError('A price is negative.');
  return lines.reduce((sum, { price }) => sum + price, 0);
}
`,
  'functions/_own.ts': 'export const nothing = 1;',
  'functions/orders.test.ts': 'throw new Error("no function");',
  'functions/types.d.ts': 'declare const x: number;',
  'node_modules/shout/package.json': '{"name":"shout","version":"1.0.0","main":"main.js"}',
  'node_modules/shout/main.js':
    'const { format } = require("util"); module.exports = (word) => format("%s!", word.toUpperCase());',
};

test('deploy bundles the folder, says what changes, and the code runs', async () => {
  await using folder = await CodeFolder.make(shop);
  const target = await newTarget();
  const tried = await folder.run(target, 'deploy', '--dry-run');
  expect(tried).toMatchObject({ code: 0, stderr: '' });
  expect(tried.stdout).toContain('Nothing was deployed: this was a dry run.');
  expect((await target.api.get('/deployments')).body.data).toEqual([]);

  const deployed = await folder.run(target, 'deploy', '--note', 'the first');
  expect(deployed).toMatchObject({ code: 0, stderr: '' });
  // On a busy machine code takes long to load, which is said.
  const lines = deployed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +loads in \d+ ms$/, ''));
  expect(lines).toEqual([
    expect.stringMatching(/^ {2}\+ night {4}at 0 3 \* \* \* \(Europe\/Berlin\) {2}[\d.]+ k?B$/),
    expect.stringMatching(/^ {2}\+ orders {3}called by anybody +[\d.]+ k?B$/),
    expect.stringMatching(/^ {2}\+ welcome {2}after register +[\d.]+ k?B$/),
    expect.stringMatching(/^Version 1 is running: 3 functions, [\d.]+ k?B, deployed in \d+\.\d s\.$/),
  ]);
  const answer = await target.api.post('/functions/orders', { lines: [{ price: 2 }, { price: 3 }] });
  expect(answer.body.data).toEqual({ total: 5, word: 'THANKS!' });

  await folder.remove('functions/night.mjs');
  await folder.write('functions/welcome.ts', 'export default () => 1');
  const second = await folder.run(target, 'deploy');
  expect(second.stdout).toMatch(
    / {4}orders .*\n {2}~ welcome {2}called by the API key .*\n {2}- night\nVersion 2 is running: 2 functions/,
  );
  const listed = await folder.run(target, 'list');
  expect(listed.stdout.split('\n')).toEqual([
    expect.stringMatching(/^\* 2 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}.* {2}2 functions, /),
    expect.stringMatching(/^ {2}1 .*3 functions, [\d.]+ k?B {2}the first$/),
    '',
  ]);

  expect(await folder.run(target, 'rollback')).toMatchObject({
    code: 0,
    stdout: 'Version 1 is running again: 3 functions.\n',
  });
  expect(await folder.run(target, 'rollback')).toMatchObject({
    code: 1,
    stderr: 'Version 1 is running, and no older version is kept.\n',
  });
  expect((await folder.run(target, 'rollback', '2')).stdout).toBe(
    'Version 2 is running again: 2 functions.\n',
  );
  expect((await folder.run(target, 'rollback', '7')).stderr).toContain('The project has no deployment 7.');
});

test('what is wrong with the code is told with its place, and what runs goes on', async () => {
  await using folder = await CodeFolder.make({ 'functions/fine.js': 'export default () => 1' });
  const target = await newTarget();
  await folder.run(target, 'deploy');
  const deployWith = async (files: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(files)) await folder.write(file, text);
    const { code, stdout, stderr } = await folder.run(target, 'deploy');
    for (const file of Object.keys(files)) await folder.remove(file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return stderr;
  };
  expect(await deployWith({ 'functions/broken.ts': 'export default () => 1;\nexport const x: = 2;\n' })).toBe(
    'functions/broken.ts:2:17: Unexpected token.\n',
  );
  expect(
    await deployWith({ 'functions/lost.ts': `import { a } from './gone.ts';\nexport default () => a;` }),
  ).toBe('functions/lost.ts:1:19: There is no file "./gone.ts".\n');
  expect(
    await deployWith({
      'functions/lost.ts': `\nimport b from '@some/package/part';\nexport default () => b;`,
    }),
  ).toBe(
    'functions/lost.ts:2:15: The package "@some/package" is not installed. Run: npm install @some/package\n',
  );
  expect(await deployWith({ 'functions/2nd.ts': 'export default () => 1' })).toMatch(
    /^functions\/2nd\.ts: "2nd" is not a valid function name: [^\n]+\n$/,
  );
  expect(await deployWith({ 'functions/fine.ts': 'export default () => 1' })).toBe(
    'functions/fine.ts: functions/fine.js has the same name. Rename one of them.\n',
  );
  const thrown = await deployWith({
    'functions/early.ts': `import { read } from './parts/read.ts';\nexport default () => read('x');\nread('');\n`,
    'functions/parts/read.ts': `export function read(name: string): string {\n  if (name === '') throw new Error('No name.');\n  return name;\n}\n`,
    'functions/nothing.ts': 'export const nothing = 1;',
  });
  expect(thrown).toContain('The deployment was rejected, and the previous version keeps running.\n');
  expect(thrown).toContain('functions/early.ts: No name.\n');
  expect(thrown).toMatch(/ {4}at read \(functions\/parts\/read\.ts:2:\d+\)\n/);
  expect(thrown).toMatch(/functions\/early\.ts:3:\d+\)?\n/);
  expect(thrown).toMatch(/^functions\/nothing\.ts: /m);
  expect((await target.api.get('/functions/fine')).body.data).toBe(1);
});

test('logs tell what ran, and follow what runs; invoke calls', async () => {
  await using folder = await CodeFolder.make(shop);
  const target = await newTarget();
  expect((await folder.run(target, 'list')).stdout).toContain('Nothing is deployed yet.');
  expect((await folder.run(target, 'logs')).stdout).toBe('No function has run yet.\n');
  await folder.run(target, 'deploy');
  await using following = folder.start(target, 'logs', '--follow');

  const good = await folder.run(target, 'invoke', 'orders', '--data', '{"lines":[{"price":4}]}');
  expect(good).toMatchObject({ code: 0, stderr: '  info   adding 1\n' });
  expect(JSON.parse(good.stdout)).toEqual({ total: 4, word: 'THANKS!' });
  const bad = await folder.run(target, 'invoke', 'orders', '--data', '{"lines":[{"price":-1}]}');
  expect(bad).toMatchObject({ code: 1, stdout: '' });
  expect(bad.stderr).toContain('  error  RangeError: A price is negative.\n');
  expect(bad.stderr).toMatch(/ {4}at total \(functions\/parts\/total\.ts:6:\d+\)\n/);
  expect(bad.stderr).toMatch(/functions\/orders\.ts:10:\d+\)?\n/);

  await following.untilPrinted('stdout', /at total \(functions\/parts\/total\.ts:6/);
  expect(following.stdout).toMatch(/orders {2}ok {2}200 {2}\d+ ms {2}[0-9a-f-]{36}\n {2}info {3}adding 1\n/);
  const failed = await folder.run(target, 'logs', '--failed', '--function', 'orders');
  const [, id = ''] = /orders {2}failed {2}\d+ ms {2}([0-9a-f-]{36})\n/.exec(failed.stdout) ?? [];
  expect(failed.stdout).not.toContain(' ok ');
  const one = await folder.run(target, 'logs', id);
  expect(one.stdout).toBe(failed.stdout);
  expect((await folder.run(target, 'logs', '--function', 'none')).stdout).toBe('No function has run yet.\n');
});
