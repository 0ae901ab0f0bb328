// @postgres newest
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { mostFactor, predictMix } from '../../../../bench/scale/sanity.ts';
import { readUnits } from '../../../../bench/scale/units.ts';
import { readPage, repository } from '../support/markdown.ts';

test('docs/scale.md says what the model makes of bench/units.json', () => {
  const printed = execFileSync(
    process.execPath,
    ['--conditions=@plinth/source', `${repository}tools/docs/print-scale.ts`, '--print'],
    { encoding: 'utf8' },
  );
  expect(readPage('docs/scale.md')).toBe(printed);
});

test('what the model expects of one process was measured, within the factor that the page names', () => {
  const { predicted, measured } = predictMix(readUnits());
  expect(measured / predicted).toBeGreaterThan(1 / mostFactor);
  expect(measured / predicted).toBeLessThan(mostFactor);
  expect(readPage('docs/scale.md')).toContain('A test fails if that factor is over two.');
  expect(mostFactor).toBe(2);
});
