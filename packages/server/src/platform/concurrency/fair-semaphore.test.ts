import { expect, test } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';

/** Work that ends when it is told to. */
function job() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, work: () => promise };
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one who asks for all places leaves one, and waits behind whoever comes later and asks for one', async () => {
  const turns = new FairSemaphore(3);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (asker: string) => {
    const { end, work } = job();
    return turns.run(asker, 60_000, () => {
      begun.push(asker);
      ends.push(end);
      return work();
    });
  };
  const all = [ask('many'), ask('many'), ask('many'), ask('many'), ask('few'), ask('other')];
  await soon();
  expect(begun).toEqual(['many', 'many', 'few']);
  ends[0]!();
  await soon();
  expect(begun).toEqual(['many', 'many', 'few', 'many']);
  ends[1]!();
  await soon();
  expect(begun.at(-1)).toBe('other');
  for (let at = 2; at < 6; at += 1) {
    ends[at]!();
    await soon();
  }
  await Promise.all(all);
  expect(begun).toHaveLength(6);
});

test('one who asks alone may have all places where the share allows it', async () => {
  const turns = new FairSemaphore(2, 2);
  const jobs = [job(), job()];
  let begun = 0;
  const all = jobs.map(({ work }) =>
    turns.run('one', 60_000, () => {
      begun += 1;
      return work();
    }),
  );
  await soon();
  expect(begun).toBe(2);
  for (const { end } of jobs) end();
  await Promise.all(all);
});

test('whoever waits too long is told so, and takes nobody’s place', async () => {
  const turns = new FairSemaphore(1);
  const first = job();
  const running = turns.run('one', 60_000, first.work);
  const late = await turns.run('two', 5, () => Promise.resolve('done'));
  expect(late).toBeUndefined();
  first.end();
  await running;
  expect(await turns.run('two', 5, () => Promise.resolve('done'))).toBe('done');
});

test('a place is free again after work that failed', async () => {
  const turns = new FairSemaphore(1);
  await expect(turns.run('one', 5, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('one', 5, () => Promise.resolve('done'))).toBe('done');
});
