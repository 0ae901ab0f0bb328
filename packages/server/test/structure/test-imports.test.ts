// @postgres newest
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const imports = /^(?:import|export|\})[^\n]*?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;

/** A test may import from its own folder, from the folders above it and from `support`; `support` only from itself. */
function strayImports(file: string, text: string): string[] {
  const folder = posix.dirname(file);
  return [...text.matchAll(imports)]
    .map(([, statement, call]) => posix.join(folder, statement ?? call ?? ''))
    .filter((target) => !target.startsWith('../'))
    .filter((target) => !target.startsWith('support/') && !isAtOrAbove(posix.dirname(target), folder))
    .map((target) => `${file} imports ${target}`);
}

const isAtOrAbove = (folder: string, other: string): boolean => `${other}/`.startsWith(`${folder}/`);

test('helpers that several folders use are in support', () => {
  const files = globSync('**/*.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => strayImports(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test.each([
  ['data/rules/a.test.ts', `import { b } from '../query/b.ts';`, 'data/query/b.ts'],
  ['data/rules/a.test.ts', `import {\n  b,\n  c,\n} from '../../people/b.ts';`, 'people/b.ts'],
  ['data/rules/a.test.ts', `import type { B } from '../rules-of-others/b.ts';`, 'data/rules-of-others/b.ts'],
  ['data/a.ts', `export * from './rules/b.ts';`, 'data/rules/b.ts'],
  ['data/a.ts', ['const { b } = await import', `('../files/b.ts');`].join(''), 'files/b.ts'],
  ['support/data/a.ts', `import '../../data/b.ts';`, 'data/b.ts'],
])('in %s, %s is noticed', (file, text, target) => {
  expect(strayImports(file, text)).toEqual([`${file} imports ${target}`]);
});

test.each([
  ['data/rules/a.test.ts', `import { b } from './b.ts';`],
  ['data/rules/a.test.ts', `import { b } from '../b.ts';`],
  ['data/rules/a.test.ts', `import { b } from '../../support/data/b.ts';`],
  ['data/rules/a.test.ts', `import { b } from '../../../src/features/data/index.ts';`],
  ['support/data/a.ts', `import '../b.ts';`],
])('in %s, %s is allowed', (file, text) => {
  expect(strayImports(file, text)).toEqual([]);
});
