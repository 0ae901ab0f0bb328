// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { bearing, newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let second: string;
beforeAll(async () => {
  second = (await t.node()).url;
});

const path = '/auth-collections/user';
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const dataOf = async (me: Client) => (await me.get(path)).body.data.data;

test('D11: 200 parallel $append and $remove on two nodes end in the array a model predicts', async () => {
  const removed = numbers(100).map((n) => `old ${n}`);
  const { token, me } = await newPerson(t, { data: { list: ['first', ...removed, 'last'] } });
  const nodes = [me, bearing(t, token, second)] as const;
  const patch = async (n: number, data: object): Promise<void> => {
    const { status, text } = await nodes[n % 2]!.patch(path, { data });
    expect(status, text).toBe(200);
  };
  // Ten writers, each with its own appends one after the other, and a hundred removals on their own.
  await Promise.all([
    ...numbers(10).map(async (writer) => {
      for (const n of numbers(10))
        await patch(n, { $append: { list: `${writer}/${n}` }, $increment: { writes: 1 } });
    }),
    ...removed.map((value, n) => patch(n, { $remove: { list: value }, $increment: { writes: 1 } })),
  ]);
  const { list, writes } = (await dataOf(me)) as { list: string[]; writes: number };
  expect(writes).toBe(200);
  expect(list.slice(0, 2)).toEqual(['first', 'last']);
  const appended = list.slice(2);
  expect(appended).toHaveLength(100);
  for (const writer of numbers(10)) {
    const own = appended.filter((value) => value.startsWith(`${writer}/`));
    expect(own).toEqual(numbers(10).map((n) => `${writer}/${n}`));
  }
});

test('D11: parallel $append and $remove of the same value by many leave what was not removed', async () => {
  const { me } = await newPerson(t, { data: { likes: [] } });
  await Promise.all(numbers(40).map((n) => me.patch(path, { data: { $addUnique: { likes: n % 10 } } })));
  expect(((await dataOf(me)).likes as number[]).toSorted((a, b) => a - b)).toEqual(numbers(10));
  await Promise.all(numbers(10).map((n) => me.patch(path, { data: { $remove: { likes: n } } })));
  expect((await dataOf(me)).likes).toEqual([]);
});

test('D11: a target of another type is 400 operator_mismatch, and nothing of the request takes effect', async () => {
  const { me } = await newPerson(t, { data: { text: 'a', n: 1, object: {}, none: null, list: [] } });
  const before = (await me.get(path)).body.data;
  const mismatches = [
    { $append: { text: 1 } },
    { $append: { n: 1 } },
    { $addUnique: { object: 1 } },
    { $remove: { text: 'a' } },
    { $append: { none: 1 } },
    { $increment: { text: 1 } },
    { $append: { 'text.deep': 1 } },
    { $append: { 'list.0': 1 } },
  ];
  for (const operators of mismatches) {
    const body = { role: 'changed', data: { changed: true, $append: { list: 1 } } };
    const { status, body: refused } = await me.patch(path, {
      ...body,
      data: { ...body.data, ...operators },
    });
    expect({ status, body: refused }, JSON.stringify(operators)).toFailWith(400, 'operator_mismatch');
  }
  expect((await me.get(path)).body.data).toEqual(before);
});

test('D11: operators that are none, or are shaped wrongly, are 400 invalid_operator', async () => {
  const { me } = await newPerson(t, { data: { list: [1] } });
  const wrong = [
    { $rename: { a: 'b' } },
    { $set: 1 },
    { $append: 1 },
    { $append: null },
    { $append: ['list'] },
    { $append: { list: { $each: 1 } } },
    { $append: { '': 1 } },
    { $append: { id: 1 } },
    { $increment: { n: '1' } },
    { $: {} },
  ];
  for (const data of wrong) {
    const { status, body } = await me.patch(path, { data });
    expect({ status, body }, JSON.stringify(data)).toFailWith(400, 'invalid_operator');
  }
  expect(await dataOf(me)).toEqual({ list: [1] });
});

test('D11: an array cannot grow past the limit of a record: 413, and it stays as it was', async () => {
  const { me } = await newPerson(t);
  const piece = 'x'.repeat(20_000);
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1)
    statuses.push((await me.patch(path, { data: { $append: { list: piece } } })).status);
  expect(statuses).toEqual([200, 200, 200, 413, 413]);
  expect((await dataOf(me)).list).toHaveLength(3);
});
