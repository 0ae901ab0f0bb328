import { expect, test } from 'vitest';
import type { CheckedFilter, MatchedRecord, Scalar } from '../../data/index.ts';
import { Groups } from './groups.ts';
import type { LiveQuery } from './live-query.ts';
import type { Subscription } from './subscription.ts';

const equals = (field: string, ...candidates: Scalar[]): CheckedFilter => ({
  kind: 'test',
  target: { kind: 'json', column: 'data', path: [field] },
  test: { kind: 'equals', candidates },
});
const least: CheckedFilter = {
  kind: 'test',
  target: { kind: 'json', column: 'data', path: ['n'] },
  test: { kind: 'compare', comparison: 'gte', to: 3 },
};
const subscription = (filter: CheckedFilter): Subscription =>
  ({ query: { filter, key: JSON.stringify(filter) } as LiveQuery }) as Subscription;
const record = (data: Record<string, unknown>): MatchedRecord => ({ id: 'x', data });

test('finds those whom a change can concern, and nobody else whose value is another', () => {
  const groups = new Groups();
  const all = subscription({ kind: 'and', of: [] });
  const adas = subscription({ kind: 'and', of: [equals('owner', 'ada'), least] });
  const bens = subscription({ kind: 'and', of: [least, { kind: 'and', of: [equals('owner', 'ben')] }] });
  const reds = subscription(equals('tags', 'red', 'green'));
  const either = subscription({ kind: 'or', of: [equals('owner', 'ada'), equals('owner', 'ben')] });
  for (const one of [all, adas, bens, reds, either]) groups.add(one);
  const concerned = (...records: MatchedRecord[]) =>
    new Set([...groups.concernedBy(records)].flatMap(({ members }) => [...members]));
  expect(concerned(record({ owner: 'ada' }))).toEqual(new Set([all, either, adas]));
  expect(concerned(record({ owner: 'ada' }), record({ owner: 'ben' }))).toEqual(
    new Set([all, either, adas, bens]),
  );
  expect(concerned(record({ tags: ['blue', 'red'], owner: ['ben'] }))).toEqual(
    new Set([all, either, reds, bens]),
  );
  groups.remove(adas);
  expect(concerned(record({ owner: 'ada' }))).toEqual(new Set([all, either]));
  for (const one of [all, bens, reds, either]) groups.remove(one);
  expect(groups.isEmpty).toBe(true);
  expect(concerned(record({ owner: 'ben', tags: 'red' }))).toEqual(new Set());
});
