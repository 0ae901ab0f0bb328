// @postgres newest
// @needs redis
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, inject, test, vi } from 'vitest';
import { RedisBus } from '../../../src/platform/bus/redis-bus.ts';

test('nodes whose clocks differ see the notes of one another', async () => {
  const log = pino({ level: 'silent' });
  const [near, far] = [new RedisBus(inject('redisUrl'), log), new RedisBus(inject('redisUrl'), log)];
  const board = randomUUID();
  await near.note(board, 'near', 'a note\nof two lines');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    expect(await far.notes(board)).toEqual(['a note\nof two lines']);
    await far.note(board, 'far', 'of the future');
  } finally {
    vi.useRealTimers();
  }
  expect((await near.notes(board)).toSorted()).toEqual(['a note\nof two lines', 'of the future']);
  await near.removeNote(board, 'far');
  expect(await far.notes(board)).toHaveLength(1);
  await Promise.all([near.close(), far.close()]);
});
