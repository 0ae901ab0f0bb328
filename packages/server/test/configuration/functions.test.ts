// @postgres newest
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKey } from '../../src/features/control/api-keys/index.ts';
import { useTestApp } from '../support/test-app.ts';
import { ConfigFolder } from './config-folder.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

async function newTarget() {
  const { ref, apiKey, api } = await t.createProject();
  return { url: `${t.url}/p/${ref}`, ref, apiKey, api };
}

const fileIn = ({ path }: ConfigFolder) => join(path, 'functions/hello.ts');

/** A folder with a configuration, and a function beside it. */
async function folderWith(code: string): Promise<ConfigFolder> {
  const folder = await ConfigFolder.make();
  await folder.write('collections/notes.json', { rules: { read: 'public' } });
  await mkdir(join(folder.path, 'functions'));
  await writeFile(fileIn(folder), code);
  return folder;
}

const saying = (word: string) => `// Says ${word}.\nexport default (): string => '${word}';\n`;

test('push makes the code of the project like the folder, once, and pull leaves the folder as it is', async () => {
  await using folder = await folderWith(saying('one'));
  const file = fileIn(folder);
  const target = await newTarget();
  const { api, ref } = target;
  const first = await folder.run(target, 'push');
  expect(first, first.stderr).toMatchObject({ code: 0 });
  expect(first.stdout.split('\n')).toEqual([
    '  Create the collection notes.',
    '  Deploy the functions folder (1 function: +hello).',
    `Making 2 changes to test (${ref}) …`,
    `Done: 2 changes. test (${ref}) matches plinth.`,
    '',
  ]);
  expect((await api.get('/functions/hello')).body.data).toBe('one');
  expect((await folder.run(target, 'push')).stdout).toBe(`test (${ref}) already matches plinth.\n`);
  expect(await folder.run(target, 'diff')).toMatchObject({ code: 0 });
  expect((await api.get('/deployments')).body.data).toHaveLength(1);

  const pulled = await folder.run(target, 'pull');
  expect(pulled.stdout).toContain('Note: the code of the project (1 function, version 1) is not pulled.');
  expect(await readFile(file, 'utf8')).toBe(saying('one'));
  expect(await folder.run(target, 'diff')).toMatchObject({ code: 0 });

  await writeFile(file, saying('two'));
  expect(await folder.run(target, 'diff', '--no-functions')).toMatchObject({ code: 0 });
  expect(await folder.run(target, 'diff')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('  Deploy the functions folder (1 function).\n'),
  });
  await folder.run(target, 'push', '--no-functions');
  expect((await api.get('/functions/hello')).body.data).toBe('one');
  expect(await folder.run(target, 'push')).toMatchObject({ code: 0 });
  expect((await api.get('/functions/hello')).body.data).toBe('two');

  // Another version runs: the folder is not what the project has any more.
  await api.post('/deployments/1/activate');
  expect(await folder.run(target, 'diff')).toMatchObject({ code: 1 });
});

test('code that is refused changes nothing, and a folder without functions removes none', async () => {
  await using folder = await folderWith('export default 7;');
  const file = fileIn(folder);
  const target = await newTarget();
  const refused = await folder.run(target, 'push');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('functions/hello.ts: ');
  expect(await target.api.get('/collections/notes')).toFailWith(404, 'collection_not_found');
  await writeFile(file, saying('one'));
  await folder.run(target, 'push');
  await rm(file);
  expect((await folder.run(target, 'push')).stdout).toBe(`test (${target.ref}) already matches plinth.\n`);
  expect((await target.api.get('/functions/hello')).body.data).toBe('one');
});

test('a key for the configuration alone is told what it lacks, and can leave functions out', async () => {
  await using folder = await folderWith(saying('one'));
  const { ref, url } = await newTarget();
  const { apiKey } = await createKey(t.control, { ref, name: 'push', scopes: ['configuration:*'] });
  const refused = await folder.run({ url, apiKey }, 'push');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"deployments:write"') });
  expect(await folder.run({ url, apiKey }, 'push', '--no-functions')).toMatchObject({ code: 0 });
  expect((await folder.run({ url, apiKey }, 'pull')).code).toBe(0);
});
