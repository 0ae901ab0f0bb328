// @postgres newest
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missesOf } from './bars.ts';
import type { Outcome } from './conduct.ts';
import { rowOf, withRows } from './report.ts';
import { scenarios } from './scenarios.ts';

const page = readFileSync(new URL('../../../../docs/faults.md', import.meta.url), 'utf8');
const names = scenarios.map(({ name }) => name);
const fine: Outcome = {
  acknowledged: 1234,
  lost: [],
  doubled: [],
  missing: [],
  invented: [],
  resyncs: 2,
  writeGapMs: 18_200,
  readGapMs: 17_900,
  engineGapMs: 17_000,
  graceMs: 2000,
  isWell: true,
  complaints: [],
  failures: new Map(),
};

test('docs/faults.md has a line for every fault, as the runs write it', () => {
  expect(withRows(page, names, new Map())).toBe(page);
  const lines = page.split('\n').filter((line) => names.some((name) => line.startsWith(`| ${name} |`)));
  expect(lines).toHaveLength(names.length);
});

test('a run writes its own lines, and leaves the others and the prose as they are', () => {
  const [name = ''] = names;
  const row = rowOf(name, fine);
  expect(row).toBe(`| ${name} | 1,234 | 0 | 0 | 0 | 0 | 17.9 s | 18.2 s | 17.0 s | yes |`);
  const changed = withRows(page, names, new Map([[name, row]])).split('\n');
  const before = page.split('\n');
  expect(changed.filter((line, at) => line !== before[at])).toEqual([row]);
});

test('every bar that is missed is said', () => {
  expect(missesOf(fine)).toEqual([]);
  expect(missesOf({ ...fine, writeGapMs: 19_001 })).toHaveLength(1);
  expect(missesOf({ ...fine, readGapMs: 19_001 })).toHaveLength(1);
  expect(missesOf({ ...fine, isWell: false })).toHaveLength(1);
  expect(missesOf({ ...fine, complaints: ['Something is wrong.'] })).toEqual(['Something is wrong.']);
  for (const bar of ['lost', 'doubled', 'missing', 'invented'])
    expect(missesOf({ ...fine, [bar]: ['one'] }), bar).toEqual([`1 ${bar}, such as one.`]);
});
