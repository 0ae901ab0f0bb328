// @postgres newest
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readPage, repository } from '../support/markdown.ts';

test('docs/cli.md is what the help of the commands makes of it', () => {
  const printed = execFileSync(process.execPath, [`${repository}tools/docs/print-cli.ts`], {
    encoding: 'utf8',
  });
  expect(readPage('docs/cli.md')).toBe(printed);
});
