import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Yielder } from './yielder.ts';

/** Works until it is time to rest. */
function workOn(yielder: Yielder): void {
  while (!yielder.isRestDue) Math.random();
}

/** Notes each stretch of its work by name. */
async function stretches(name: string, asker: string, count: number, done: string[]): Promise<void> {
  const yielder = new Yielder(asker);
  for (let stretch = 0; stretch < count; stretch += 1) {
    await yielder.rest();
    workOn(yielder);
    done.push(name);
  }
}

test('of all long work, one stretch is done in a turn of the event loop', async () => {
  const done: string[] = [];
  const all = Promise.all(Array.from({ length: 5 }, (_, at) => stretches(`${at}`, 'one', 2, done)));
  let most = 0;
  while (done.length < 10) {
    const seen = done.length;
    await setImmediate();
    most = Math.max(most, done.length - seen);
  }
  await all;
  expect(done).toEqual(['0', '1', '2', '3', '4', '0', '1', '2', '3', '4']);
  expect(most).toBe(1);
});

test('work that begins in a turn that is used up waits for the next', async () => {
  const first = new Yielder('one');
  workOn(first);
  expect(new Yielder('other').isRestDue).toBe(true);
  await first.rest();
  expect(new Yielder('other').isRestDue).toBe(false);
});

test('short work does not wait for the long work of others, unless it turns out to be long', () => {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const long = new Yielder('one');
  now += 11;
  expect(long.isRestDue).toBe(true);
  const short = Yielder.forShortWork('other');
  expect(short.isRestDue).toBe(false);
  now += 3;
  expect(short.isRestDue).toBe(true);
  clock.mockRestore();
});

test('whoever has one call does not wait behind the many of another', async () => {
  const done: string[] = [];
  const many = Array.from({ length: 5 }, () => stretches('many', 'many', 2, done));
  await Promise.all([...many, stretches('one', 'one', 2, done)]);
  expect(done.indexOf('one')).toBeLessThanOrEqual(1);
  expect(done.lastIndexOf('one')).toBeLessThanOrEqual(3);
});
