import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CodeFolder } from '../../../server/test/support/code/code-folder.ts';
import { repository } from '../../../server/test/support/markdown.ts';
import { PlinthProcess } from '../../../server/test/support/nodes/plinth-process.ts';
import { runShell, shellWith } from '../../../server/test/support/shell-example.ts';
import { useTestApp } from '../../../server/test/support/test-app.ts';
import { pageBlocks, textOf } from './page-blocks.ts';
import { runScript } from './run-script.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

const recipes = readdirSync(join(repository, 'docs/recipes')).filter((name) => name !== 'README.md');
const isFile = (title: string) => title.includes('/');

/** The files of a page, in a folder and in the project. */
async function pushFiles(
  blocks: Awaited<ReturnType<typeof pageBlocks>>,
  environment: Record<string, string>,
) {
  const files = blocks.filter(({ title }) => isFile(title)).map(({ title, text }) => [title, text]);
  const folder = await CodeFolder.make({ 'package.json': '{"type":"module"}', ...Object.fromEntries(files) });
  await folder.install();
  if (files.length === 0) return folder;
  const { code, stdout, stderr } = await new PlinthProcess(['push'], environment, folder.path).ended;
  expect(code, `${stdout}${stderr}`).toBe(0);
  return folder;
}

describe('every recipe does what it says', () => {
  test.each(recipes)('%s', async (name) => {
    const blocks = await pageBlocks(`docs/recipes/${name}`);
    const { ref, apiKey } = await t.createProject(name);
    const url = `${t.url}/p/${ref}`;
    const environment = { PLINTH_URL: url, PLINTH_API_KEY: apiKey };
    await using folder = await pushFiles(blocks, environment);
    const shell = { language: 'sh', line: 1, text: textOf(blocks, 'sh') };
    await runShell(shell, shellWith(environment), { folder: folder.path });
    await runScript(textOf(blocks, 'ts'), { url, apiKey });
  });
});

test('the list of recipes has each of them', () => {
  const list = readFileSync(join(repository, 'docs/recipes/README.md'), 'utf8');
  const linked = Array.from(list.matchAll(/\]\(([\w-]+\.md)\)/g), ([, name]) => name);
  expect(new Set(linked)).toEqual(new Set(recipes));
});

test.each(recipes)('%s names the files that its blocks are', async (name) => {
  const page = readFileSync(join(repository, 'docs/recipes', name), 'utf8');
  const files = (await pageBlocks(`docs/recipes/${name}`)).map(({ title }) => title).filter(isFile);
  expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});

test('the functions of recipes have no wrong types', async () => {
  const blocks = await Promise.all(recipes.map((name) => pageBlocks(`docs/recipes/${name}`)));
  const functions = blocks.flat().filter(({ title }) => title.startsWith('functions/'));
  expect(functions.length).toBeGreaterThan(3);
  await using folder = await CodeFolder.make(
    Object.fromEntries([
      ['package.json', '{"type":"module"}'],
      ...functions.map(({ title, text }) => [title, text]),
    ]),
  );
  expect(await folder.checkTypes()).toBe('');
});
