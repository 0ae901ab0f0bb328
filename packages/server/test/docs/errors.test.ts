// @postgres newest
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { errorCatalogue } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { readPage, repository } from '../support/markdown.ts';

const sources = `${repository}packages/server/src`;
const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(`${sources}/${path}`, 'utf8'))
  .join('\n');

const worded = new Set(
  Array.from(code.matchAll(/\b(?:defineError|new AppError)\(\s*'([a-z_]+)'/g), ([, name]) => name!),
);

test('docs/errors.md is what the catalogue makes of it', () => {
  const printed = execFileSync(process.execPath, [`${repository}tools/docs/print-errors.ts`], {
    encoding: 'utf8',
  });
  expect(readPage('docs/errors.md')).toBe(printed);
});

test('every code of the catalogue is worded somewhere in the server', () => {
  expect(Object.keys(errorCatalogue).filter((name) => !worded.has(name))).toEqual([]);
});

test('no answer has a code that is not in the catalogue', () => {
  const written = Array.from(code.matchAll(/\berror: \{\s*code: '([a-z_]+)'/g), ([, name]) => name!);
  expect([...worded, ...written].filter((name) => !Object.hasOwn(errorCatalogue, name))).toEqual([]);
});
