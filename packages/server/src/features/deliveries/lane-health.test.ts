import { expect, test } from 'vitest';
import { afterFailure, healthy, isGivenUp, needsPause, pauseOf, retryDelay } from './lane-health.ts';

test('a delivery is tried once more than there are delays, each within a fifth of its figure', () => {
  const retries = [5, 300, 86_400];
  for (let round = 0; round < 200; round += 1) {
    for (const [at, delay] of retries.entries()) {
      const given = retryDelay(retries, at + 1)!;
      expect(given).toBeGreaterThanOrEqual(delay * 0.8);
      expect(given).toBeLessThanOrEqual(delay * 1.2);
    }
  }
  expect(retryDelay(retries, 4)).toBeUndefined();
});

test('ten failures in a row need a pause, which doubles up to an hour', () => {
  let health = healthy;
  for (let failure = 1; failure < 10; failure += 1) {
    health = afterFailure(health);
    expect(needsPause(health)).toBe(false);
  }
  health = afterFailure(health);
  expect(needsPause(health)).toBe(true);
  const pauses = Array.from({ length: 9 }, (_, pauses) => pauseOf({ ...health, pauses }) / 1000);
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
});

test('five days of failure are enough', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
  expect(isGivenUp(healthy)).toBe(false);
  expect(isGivenUp({ ...healthy, failingSince: daysAgo(4.9) })).toBe(false);
  expect(isGivenUp({ ...healthy, failingSince: daysAgo(5.1) })).toBe(true);
  const since = daysAgo(3);
  expect(afterFailure({ ...healthy, failingSince: since }).failingSince).toBe(since);
});
