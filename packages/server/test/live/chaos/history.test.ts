// @postgres newest
import { expect, test } from 'vitest';
import { History, judge, type Told, type Version } from './history.ts';

const version = (n: number, state = 'a'): Version => ({ n, state, level: 1, owner: 'ada' });
const created = (id: string, one: Version): Told => ({ kind: 'event', event: 'created', id, version: one });
const updated = (id: string, one: Version): Told => ({ kind: 'event', event: 'updated', id, version: one });
const gone = (id: string): Told => ({ kind: 'event', event: 'deleted', id });
const resumed = (at: number): Told => ({ kind: 'resumed', at });
const isA = ({ state }: Version) => state === 'a';

/** Each version was begun at the moment that has its number. */
const history = new History();
for (const n of [1, 2, 3]) history.note('x', version(n), n);
history.note('y', version(1), 1);
history.note('y', version(2, 'b'), 2);
const right = [
  created('x', version(1)),
  updated('x', version(2)),
  created('y', version(1)),
  updated('x', version(3)),
  gone('y'),
];

test('a right account passes, also with repetitions after a break', () => {
  const again: Told[] = [...right.slice(0, 2), resumed(2), ...right.slice(1)];
  expect(judge(history, again, isA)).toMatchObject({
    missed: [],
    forbidden: [],
    disordered: [],
    duplicates: 1,
  });
});

test('what was the past after a break, and was followed by something, need not be told', () => {
  const back = resumed(2.5);
  expect(judge(history, [back, created('x', version(3)), gone('y')], isA).missed).toEqual([]);
  expect(judge(history, [back, created('x', version(3))], isA).missed).toEqual([]);
  const known = [created('x', version(1)), created('y', version(1))];
  expect(judge(history, [...known, back, updated('x', version(3)), gone('y')], isA).missed).toEqual([]);
});

test('of a document whose last write was not answered only what is certain is asked for', () => {
  const doubtful = new History();
  doubtful.note('y', version(1), 1);
  doubtful.note('y', version(2, 'b'), 2);
  doubtful.doubt('y');
  expect(judge(doubtful, [created('y', version(1))], isA).missed).toEqual([]);
  expect(judge(doubtful, [], isA).missed).toEqual(['y 1']);
});

test('planted bugs are caught: a dropped event, a dropped departure, a wrong order, a document that may not be seen', () => {
  for (const at of right.keys()) {
    const account = right.filter((_, index) => index !== at);
    expect(judge(history, account, isA).missed, `without event ${at}`).toHaveLength(1);
  }
  const turned = [right[1]!, right[0]!, ...right.slice(2)];
  expect(judge(history, turned, isA).disordered).toHaveLength(1);
  const leaked = [...right.slice(0, 4), updated('y', version(2, 'b'))];
  expect(judge(history, leaked, isA)).toMatchObject({ forbidden: ['y 2'], missed: ['y is gone'] });
});

test('planted bugs after a break are caught: too much left out, the latest version, a departure, an old end', () => {
  const back = resumed(1.5);
  const known = [created('x', version(1)), created('y', version(1))];
  // It was begun after the subscriber had come back.
  expect(judge(history, [...known, back, updated('x', version(3)), gone('y')], isA).missed).toEqual(['x 2']);
  expect(judge(history, [...known, resumed(9), gone('y')], isA).missed).toEqual(['x 3']);
  expect(judge(history, [...known, resumed(9), updated('x', version(3))], isA).missed).toEqual(['y is gone']);
  // Before the break nothing may be left out.
  expect(judge(history, [created('x', version(3)), gone('y'), resumed(9)], isA).missed).toEqual([
    'x 1',
    'x 2',
  ]);
  const backwards = [...right, resumed(9), updated('x', version(2))];
  expect(judge(history, backwards, isA).missed).toEqual(['x ends as 2']);
});
