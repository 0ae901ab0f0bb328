// @postgres newest
import { expect, test } from 'vitest';
import { useTestApp } from '../../support/test-app.ts';
import { type FedTransaction, Feed } from './move-feed.ts';
import { answered, makeMoving, tend } from './move-stage.ts';

const t = useTestApp({ JOB_CONCURRENCY: '0' });

const isMove = (transaction: FedTransaction) => transaction.some(({ what }) => what === 'plinth-move');
const count = (transactions: readonly FedTransaction[], what: string) =>
  transactions.flat().filter((fed) => fed.kind === 'row' && what.includes(fed.what)).length;

test('whoever reads the change feed can tell every document that only moves from one that changes', async () => {
  const posts = await makeMoving(t, 'posts', 10_000);
  await using feed = await Feed.open(t.cells.pool(posts.cell));
  await answered(t.api.post(`${posts.path}/indexes`, { fields: ['at'], kind: 'sort' }), 201);
  const tended = tend(t.cells, posts);
  const state = { isOver: false };
  const stopped = tended.finally(() => {
    state.isOver = true;
  });
  let changes = 0;
  while (!state.isOver) {
    const id = posts.ids[(changes * 7) % posts.ids.length]!;
    const { id: made } = await answered(t.api.post(posts.path, { at: -1 }), 201);
    await answered(t.api.patch(`${posts.path}/${id}`, { $increment: { counter: 1 } }));
    await answered(t.api.delete(`${posts.path}/${made}`));
    changes += 3;
  }
  await stopped;
  const transactions = await feed.read();
  const moves = transactions.filter(isMove);
  const others = transactions.filter((transaction) => !isMove(transaction));
  for (const transaction of moves) {
    expect(transaction[0]).toEqual({ kind: 'message', what: 'plinth-move' });
    // Each document leaves one table and arrives in the other.
    expect(count([transaction], 'I')).toBe(count([transaction], 'D'));
    expect(count([transaction], 'UT')).toBe(0);
  }
  expect(count(moves, 'I')).toBeGreaterThanOrEqual(10_000);
  expect(count(moves, 'I')).toBeLessThanOrEqual(10_000 + changes / 3);
  expect(changes).toBeGreaterThan(10);
  expect([count(others, 'I'), count(others, 'U'), count(others, 'D')]).toEqual([
    changes / 3,
    changes / 3,
    changes / 3,
  ]);
  for (const transaction of others) expect(transaction.filter(({ kind }) => kind === 'message')).toEqual([]);
});
