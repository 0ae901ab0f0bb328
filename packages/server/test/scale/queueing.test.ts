// @postgres newest
import { expect, test } from 'vitest';
import { waitForAny, waitForOne } from '../../../../bench/scale/queueing.ts';

test('one server with constant work waits half as long as with work of random length', () => {
  // M/D/1 at 50 %: half a service time; M/M/1: a whole one.
  expect(waitForOne([{ rate: 50, seconds: 0.01 }])).toBeCloseTo(0.005, 6);
  expect(waitForAny({ rate: 50, seconds: 0.01 }, 1)).toBeCloseTo(0.01, 6);
});

test('rare but long work makes all other wait', () => {
  const short = { rate: 400, seconds: 0.001 };
  const long = { rate: 1, seconds: 0.1 };
  expect(waitForOne([short, long])).toBeGreaterThan(10 * waitForOne([{ rate: 500, seconds: 0.001 }]));
});

test('several servers with one queue wait as Erlang says', () => {
  // Two servers, one of them busy on average: a third of the requests wait.
  expect(waitForAny({ rate: 1, seconds: 1 }, 2)).toBeCloseTo(1 / 3, 6);
  expect(waitForAny({ rate: 400, seconds: 0.01 }, 8)).toBeLessThan(
    waitForAny({ rate: 50, seconds: 0.01 }, 1),
  );
});

test('nobody waits where nothing comes, and forever where too much comes', () => {
  expect(waitForOne([])).toBe(0);
  expect(waitForAny({ rate: 0, seconds: 1 }, 4)).toBe(0);
  expect(waitForOne([{ rate: 100, seconds: 0.01 }])).toBe(Number.POSITIVE_INFINITY);
  expect(waitForAny({ rate: 401, seconds: 0.01 }, 4)).toBe(Number.POSITIVE_INFINITY);
});
