// @postgres newest
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readPage, repository } from '../support/markdown.ts';

test('docs/limits.md is what the code makes of it', () => {
  const printed = execFileSync(
    process.execPath,
    ['--conditions=@plinth/source', `${repository}tools/docs/print-limits.ts`],
    {
      encoding: 'utf8',
      cwd: repository,
    },
  );
  expect(readPage('docs/limits.md')).toBe(printed);
});
