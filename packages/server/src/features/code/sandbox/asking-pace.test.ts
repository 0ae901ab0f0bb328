import { expect, test } from 'vitest';
import { AskingPace } from './asking-pace.ts';

test('after a burst, questions have their turn in the order in which they came, and no faster than they may', async () => {
  const startedAt = performance.now();
  const pace = new AskingPace();
  await Promise.all(Array.from({ length: 500 }, () => pace.turn()));
  const order: number[] = [];
  await Promise.all(Array.from({ length: 100 }, (_, n) => pace.turn().then(() => order.push(n))));
  expect(order).toEqual(Array.from({ length: 100 }, (_, n) => n));
  // 250 per second.
  expect(performance.now() - startedAt).toBeGreaterThan(395);
});
