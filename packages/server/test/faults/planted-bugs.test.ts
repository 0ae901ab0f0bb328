// @postgres newest

import { describe, expect, test } from 'vitest';
import { growthOf } from './growth.ts';
import { type Heard, judgeEvents } from './judge-events.ts';
import { type Answered, judgeWrites, type Stored } from './judge-writes.ts';
import { longestGap } from './longest-gap.ts';

const answered: Answered = {
  created: new Map([
    ['one', 'id-1'],
    ['two', 'id-2'],
  ]),
  raised: new Map([['counter', { answered: 3, open: 1 }]]),
};
const stored: Stored = {
  // Nobody knows what became of the third: it may be there.
  names: new Map([
    ['id-1', 'one'],
    ['id-2', 'two'],
    ['id-3', 'three'],
  ]),
  counts: new Map([['counter', 3]]),
};
const created = (id: string): Heard => ({ kind: 'created', id });
const raised = (count: number): Heard => ({ kind: 'raised', id: 'counter', count });
const heard = [created('id-1'), raised(1), created('id-2'), raised(2), raised(3), created('id-3')];
const pause: Heard = { kind: 'break' };
const without = (at: number): Heard[] => heard.filter((_, place) => place !== at);

describe('writes', () => {
  test('what was answered is there once, and what was not may be there', () => {
    expect(judgeWrites(answered, stored)).toEqual({ lost: [], doubled: [] });
    const more = { ...stored, counts: new Map([['counter', 4]]) };
    expect(judgeWrites(answered, more)).toEqual({ lost: [], doubled: [] });
  });

  test('a lost create is caught, and one that became another document', () => {
    const names = new Map([['id-2', 'two']]);
    expect(judgeWrites(answered, { ...stored, names }).lost).toEqual(['one']);
    const other = new Map([...stored.names, ['id-1', 'another']]);
    expect(judgeWrites(answered, { ...stored, names: other }).lost).toEqual(['one']);
  });

  test('a doubled create is caught', () => {
    const names = new Map([...stored.names, ['id-4', 'two']]);
    expect(judgeWrites(answered, { ...stored, names }).doubled).toEqual(['two']);
  });

  test('a lost change is caught, and a doubled one', () => {
    expect(judgeWrites(answered, { ...stored, counts: new Map([['counter', 2]]) }).lost).toEqual([
      'counter: 2 of 3',
    ]);
    expect(judgeWrites(answered, { ...stored, counts: new Map([['counter', 5]]) }).doubled).toEqual([
      'counter: 5 of 4',
    ]);
  });
});

describe('events', () => {
  const missing = (account: readonly Heard[]) => judgeEvents(account, answered, stored).missing;
  const invented = (account: readonly Heard[]) => judgeEvents(account, answered, stored).invented;

  test('a right account passes, also with repetitions and omissions after a break', () => {
    expect(judgeEvents(heard, answered, stored)).toEqual({ missing: [], invented: [] });
    const again = [...heard.slice(0, 4), pause, ...heard.slice(2, 4), raised(3)];
    expect(judgeEvents(again, answered, stored)).toEqual({ missing: [], invented: [] });
    const outcome = [...heard.slice(0, 3), pause, raised(3)];
    expect(judgeEvents(outcome, answered, stored)).toEqual({ missing: [], invented: [] });
    expect(judgeEvents([pause, { kind: 'read', stored }], answered, stored)).toEqual({
      missing: [],
      invented: [],
    });
  });

  test('a dropped event is caught, wherever it was', () => {
    expect(missing(without(0))).toEqual(['one']);
    expect(missing(without(2))).toEqual(['two']);
    expect(missing(without(3))).toEqual(['counter: 2']);
    expect(missing(without(4))).toEqual(['counter: 3, and the last heard of is 2']);
    expect(missing([...heard.slice(0, 3), pause])).toEqual(['counter: 3, and the last heard of is 1']);
  });

  test('an invented event is caught, also when it was put right later', () => {
    expect(invented([...heard, created('id-9')])).toEqual(['id-9 is not there']);
    expect(invented([created('id-9'), pause, { kind: 'read', stored }])).toEqual(['id-9 is not there']);
    expect(invented([...heard, raised(4)])).toEqual(['counter: 4 never was']);
  });

  test('an event that comes twice is caught, and one that comes too late', () => {
    expect(invented([...heard, created('id-1')])).toEqual(['id-1 is created twice']);
    expect(invented([...heard, raised(3)])).toEqual(['counter: 3 after 3']);
    expect(invented([raised(2), raised(1), ...without(1)])).not.toEqual([]);
  });
});

test('a gap is noticed between two answers, before the first and after the last', () => {
  expect(longestGap([1, 2, 6, 7], 0, 8)).toBe(4);
  expect(longestGap([6, 7], 0, 8)).toBe(6);
  expect(longestGap([1], 0, 8)).toBe(7);
  expect(longestGap([], 0, 8)).toBe(8);
  expect(longestGap([-5, 3, 20], 0, 8)).toBe(5);
});

test('what keeps growing is noticed, and what only grows at first or varies is not', () => {
  const holding = (megabytes: number, handles = 100) => ({ megabytes, handles, connections: 20 });
  const hours = Array.from({ length: 40 }, (_, at) => at);
  expect(growthOf(hours.map((at) => holding(at < 8 ? 100 + at * 10 : 170 + (at % 5) * 4)))).toEqual([]);
  expect(growthOf(hours.map((at) => holding(100 + at * 4)))).toEqual(['From 160 to 240 megabytes.']);
  expect(growthOf(hours.map((at) => holding(100, 100 + at * 3)))).toEqual(['From 145 to 205 handles.']);
  expect(growthOf([])).toHaveLength(1);
});
