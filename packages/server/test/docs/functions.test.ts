// @postgres newest
import { expect, test } from 'vitest';
import { CodeFolder } from '../support/code/code-folder.ts';
import { readPage } from '../support/markdown.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';

/** The modules of a page: blocks whose first line says which file they are. */
function modulesOf(page: string): [file: string, text: string][] {
  const blocks = readPage(page).matchAll(/^```ts [^\n]*\n(\/\/ (\S+)\n.*?)^```$/gms);
  return Array.from(blocks, ([, text = '', file = '']) => [file, text]);
}

const pages = ['docs/functions.md', 'docs/hooks.md', 'docs/schedules.md'];

test('every function of the documentation is deployed, and its tests pass', async () => {
  const files = Object.fromEntries(pages.flatMap(modulesOf));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['functions/take-from-stock.test.ts', 'functions/daily-report.ts']),
  );
  await using folder = await CodeFolder.make({ 'package.json': '{"type":"module"}', ...files });
  await folder.install();
  const { code, stdout, stderr } = await new PlinthProcess(['functions', 'test'], {}, folder.path).ended;
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/pass 2\n[^]*All tests passed\.\n$/);
});
