// @postgres newest
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CodeFolder } from '../support/code/code-folder.ts';
import { readPage, repository } from '../support/markdown.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';

test('examples/shop: its types fit, and its tests pass as the README shows', async () => {
  await using folder = await CodeFolder.make();
  await cp(join(repository, 'examples/shop'), folder.path, { recursive: true });
  expect(await folder.checkTypes()).toBe('');
  const args = ['functions', 'test'];
  const { code, stdout, stderr } = await new PlinthProcess(args, {}, folder.path).ended;
  expect(code, stdout + stderr).toBe(0);
  const shown = readPage('examples/shop/README.md').match(/^✔ .*$/gm)!;
  expect(shown.length).toBeGreaterThan(3);
  for (const line of shown) expect(stdout).toContain(line);
});
