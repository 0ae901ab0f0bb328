import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListPace, type Way } from './list-pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs a statement so often, and counts the ways that it took. */
function run(pace: ListPace, times: number, ms: (way: Way) => number, canMerge = true) {
  const ways = { planned: 0, prepared: 0, together: 0 };
  for (let n = 0; n < times; n += 1) {
    const way = pace.next({ canMerge });
    ways[way] += 1;
    pace.note(way, ms(way));
  }
  return ways;
}

test('first planned for its values, then together, and planned again now and then', () => {
  const pace = new ListPace();
  expect(run(pace, 3, () => 1)).toEqual({ planned: 3, prepared: 0, together: 0 });
  expect(run(pace, 997, () => 1)).toEqual({ planned: 2, prepared: 0, together: 995 });
});

test('what is not quick goes alone', () => {
  const pace = new ListPace();
  expect(run(pace, 100, () => 25)).toEqual({ planned: 3, prepared: 97, together: 0 });
  expect(run(new ListPace(), 100, () => 1, false)).toEqual({ planned: 3, prepared: 97, together: 0 });
});

test('a plan for all values that takes a hundred times as long is left at once', () => {
  const pace = new ListPace();
  const slowTogether = (way: Way) => (way === 'planned' ? 1 : 100);
  expect(run(pace, 1000, slowTogether)).toMatchObject({ prepared: 1, together: 1 });
});

test('a slow moment changes nothing; three in a row do', () => {
  const pace = new ListPace();
  run(pace, 10, () => 1);
  pace.note('together', 8);
  pace.note('together', 8);
  pace.note('together', 1);
  expect(run(pace, 10, () => 1).together).toBe(10);
  for (const ms of [8, 8, 8]) pace.note('together', ms);
  expect(run(pace, 10, () => 1).together).toBe(0);
});

test('what was slow is tried again, by fewer and less often each time, until it is quick', () => {
  const pace = new ListPace();
  let together = 100;
  const ms = (way: Way) => (way === 'together' ? together : 1);
  const triesIn = (seconds: number) => {
    let tries = 0;
    for (let second = 0; second < seconds; second += 1) {
      vi.advanceTimersByTime(1000);
      tries += run(pace, 20, ms).together;
    }
    return tries;
  };
  // At once, and after 10 s, 20 s, 40 s and so on.
  expect(triesIn(320)).toBe(6);
  expect(triesIn(3600)).toBeLessThanOrEqual(4);
  expect(triesIn(86_400)).toBeLessThanOrEqual(25);
  expect(pace.mostTogether).toBeLessThanOrEqual(2);
  together = 1;
  vi.advanceTimersByTime(3_600_000);
  expect(pace.mostTogether).toBe(2);
  expect(run(pace, 100, ms).together).toBeGreaterThanOrEqual(99);
  expect(pace.mostTogether).toBe(80);
});

test('one that is planned among those that go together does not part them', () => {
  const pace = new ListPace();
  const ms = (way: Way) => (way === 'planned' ? 30 : 2);
  pace.note('planned', 2);
  run(pace, 3, () => 2);
  expect(run(pace, 1996, ms)).toEqual({ planned: 3, prepared: 0, together: 1993 });
  expect(pace.mostTogether).toBe(40);
});

test('a group takes no longer than its share, by what the last one took', () => {
  const pace = new ListPace();
  run(pace, 20, () => 8);
  expect(pace.mostTogether).toBe(10);
});
