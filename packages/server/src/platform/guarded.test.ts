import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { guarded, reporting } from './guarded.ts';

test('what a handler throws, or its promise rejects with, is logged and closes what is concerned', async () => {
  const logged: unknown[] = [];
  let closed = 0;
  const log = { error: (details: unknown, what?: unknown) => logged.push([details, what]) };
  const failed = reporting(log, 'a message could not be taken', () => (closed += 1));
  const error = new RangeError('too deep');
  const emitter = new EventEmitter();
  emitter.on(
    'message',
    guarded(failed, () => {
      throw error;
    }),
  );
  emitter.on(
    'message',
    guarded(failed, async () => {
      throw error;
    }),
  );
  const heard: unknown[] = [];
  emitter.on(
    'message',
    guarded(failed, (...given: unknown[]) => heard.push(given)),
  );
  emitter.emit('message', 1, 2);
  await expect.poll(() => closed).toBe(2);
  expect(logged).toEqual([1, 2].map(() => [{ err: error }, 'a message could not be taken']));
  expect(heard).toEqual([[1, 2]]);
});
