import { afterEach, expect, test } from 'vitest';
import { Thread, ThreadEnded } from './thread.ts';

const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (job) => {
      if (job === 'for ever') for (;;);
      if (job === 'too much') for (const kept = []; ; ) kept.push(new Array(10_000).fill(kept.length));
      if (job === 'fail') throw new Error('no');
      parentPort.postMessage('done: ' + job);
    });
  `)}`,
);

let thread: Thread;
afterEach(() => thread.stop());

test('jobs are answered in their order', async () => {
  thread = new Thread({ module });
  const jobs = Array.from({ length: 50 }, (_, n) => `${n}`);
  expect(await Promise.all(jobs.map((job) => thread.run(job)))).toEqual(jobs.map((job) => `done: ${job}`));
  expect(thread.load).toBe(0);
});

test.each([
  ['for ever', 'takes too long'],
  ['too much', 'takes too much memory'],
  ['fail', 'fails'],
])('7: a job (%s) that %s ends the thread, and another goes on with those behind it', async (bad) => {
  thread = new Thread({
    module,
    longestMs: bad === 'for ever' ? 1500 : 120_000,
    memory: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 8 },
  });
  const before = thread.run('before');
  const ended = expect(thread.run(bad)).rejects.toThrow(ThreadEnded);
  const behind = [thread.run('behind'), thread.run('last')];
  expect(await before).toBe('done: before');
  await ended;
  expect(await Promise.all(behind)).toEqual(['done: behind', 'done: last']);
  expect(await thread.run('later')).toBe('done: later');
});
