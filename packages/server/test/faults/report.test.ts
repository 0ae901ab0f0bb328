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
  const row = rowOf(name, [{ postgres: 15, outcome: fine }]);
  expect(row).toBe(`| ${name} | 15 | 1 | 1,234 | 0 | 0 | 0 | 0 | 17.9 s | 18.2 s | 17.0 s | yes |`);
  const changed = withRows(page, names, new Map([[name, row]])).split('\n');
  const before = page.split('\n');
  expect(changed.filter((line, at) => line !== before[at])).toEqual([row]);
});

test('several runs of a fault are one line, with the longest outage of each kind', () => {
  const worse: Outcome = { ...fine, lost: ['one'], writeGapMs: 20_000, engineGapMs: 19_000, isWell: false };
  const runs = [
    { postgres: 15, outcome: fine },
    { postgres: 18, outcome: worse },
    { postgres: 18, outcome: fine },
  ] as const;
  expect(rowOf('a fault', runs)).toBe(
    '| a fault | 15, 18 | 3 | 3,702 | 1 | 0 | 0 | 0 | 17.9 s | 20.0 s | 19.0 s | no |',
  );
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
