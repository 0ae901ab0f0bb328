// @postgres newest
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

const papers = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...globSync('packages/*/{src,test}/**/README.md', { cwd: repository }),
];

/** What is in backticks and looks like a path of the repository: it has a folder, or is a TypeScript file. */
function pathsIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\s]+)`/g), ([, path = '']) => path).filter(
    (path) =>
      /^[\w.-]+(\/[\w.-]+)*\/?$/.test(path) &&
      (/\.(ts|cjs|mjs|sql|md)$/.test(path) ||
        /^(packages|features|platform|calls|node|commands|tools|docs|bench)\//.test(path)),
  );
}

/** A path may be meant from the repository, the server, its source, or the folder of the paper. */
function isThere(paper: string, path: string): boolean {
  const from = ['', 'packages/server', 'packages/server/src', dirname(paper)];
  if (from.some((folder) => existsSync(join(repository, folder, path)))) return true;
  // A bare file name says what such files are called everywhere.
  return !path.includes('/') && globSync(`packages/*/{src,test}/**/${path}`, { cwd: repository }).length > 0;
}

test.each(papers)('every path that %s names is there', (paper) => {
  const paths = pathsIn(readFileSync(join(repository, paper), 'utf8'));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !isThere(paper, path))).toEqual([]);
});

test('a path that is not there is found', () => {
  expect(pathsIn('see `features/data/nowhere.ts` and `a word`')).toEqual(['features/data/nowhere.ts']);
  expect(isThere('ARCHITECTURE.md', 'features/data/nowhere.ts')).toBe(false);
});

test('the table of CONTRIBUTING.md tells where at least the 20 most asked-for changes go', () => {
  const [, table = ''] = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8').split(
    '## Where to change what',
  );
  const rows = (table.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| --'));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows.slice(1)) expect(row).toMatch(/`[^`]+`/);
});
