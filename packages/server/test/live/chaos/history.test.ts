// @postgres newest
import { expect, test } from 'vitest';
import { History, judge, type Told, type Version } from './history.ts';

const version = (n: number, state = 'a'): Version => ({ n, state, level: 1, owner: 'ada' });
const created = (id: string, one: Version): Told => ({ kind: 'event', event: 'created', id, version: one });
const updated = (id: string, one: Version): Told => ({ kind: 'event', event: 'updated', id, version: one });
const gone = (id: string): Told => ({ kind: 'event', event: 'deleted', id });

const history = new History();
for (const n of [1, 2, 3]) history.note('x', version(n));
history.note('y', version(1));
history.note('y', version(2, 'b'));
const isA = ({ state }: Version) => state === 'a';
const right = [
  created('x', version(1)),
  updated('x', version(2)),
  created('y', version(1)),
  updated('x', version(3)),
  gone('y'),
];

test('a right account passes, also with repetitions after a break', () => {
  const again: Told[] = [...right.slice(0, 2), { kind: 'resumed' }, ...right.slice(1)];
  expect(judge(history, again, isA)).toMatchObject({
    missed: [],
    forbidden: [],
    disordered: [],
    duplicates: 1,
  });
});

test('of a document whose last write was not answered only what is certain is asked for', () => {
  const doubtful = new History();
  doubtful.note('y', version(1));
  doubtful.note('y', version(2, 'b'));
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
