import { expect, test } from 'vitest';
import { ScheduleTimes } from './next-times.ts';
import type { Schedule } from './schedule.ts';

const times = new ScheduleTimes();
const project = '7';

/** The next times of an expression with seconds, which is not spread. */
function following(cron: string, zone: string, from: string, count: number): string[] {
  const found: string[] = [];
  let at: Date | null = new Date(from);
  while (at && found.length < count) {
    at = times.after({ cron, zone }, at, project);
    if (at) found.push(at.toISOString());
  }
  return found;
}

test('an hour that does not exist runs once, just after the gap; one that comes twice runs once', () => {
  const night = '0 30 2 * * *';
  expect(following(night, 'Europe/Berlin', '2026-03-28T00:00:00Z', 3)).toEqual([
    '2026-03-28T01:30:00.000Z',
    // On the 29th, two o'clock is three o'clock.
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  const doubled = following(night, 'Europe/Berlin', '2026-10-24T12:00:00Z', 2);
  expect(doubled.map((time) => time.slice(0, 10))).toEqual(['2026-10-25', '2026-10-26']);
});

test('those of many projects at the same minute are spread over five seconds, always alike', () => {
  const at = (id: string) =>
    times.after({ cron: '0 9 * * *', zone: 'UTC' }, new Date('2026-05-01T00:00:00Z'), id)!;
  const seconds = Array.from({ length: 200 }, (_, id) => at(String(id)).getTime() % 60_000);
  expect(Math.max(...seconds)).toBeLessThan(5000);
  expect(new Set(seconds).size).toBeGreaterThan(100);
  expect(at('7')).toEqual(at('7'));
  expect(at('7').toISOString()).toContain('2026-05-01T09:00:0');
});

const schedule = (missed: Schedule['missed'], nextAt: string): Schedule & { nextAt: Date } => ({
  name: 'n',
  lane: 1,
  cron: '0 0 * * * *',
  zone: 'UTC',
  missed,
  overlap: 'skip',
  isPaused: false,
  nextAt: new Date(nextAt),
  lastAt: null,
});

test('runs that were missed: one late, none, or all of them', () => {
  const now = new Date('2026-05-01T12:30:00Z');
  const of = (missed: Schedule['missed'], from: string) => {
    const { runs, after } = times.due(schedule(missed, from), now, project);
    return [runs.map((run) => run.toISOString().slice(11, 16)), after?.toISOString().slice(11, 16)];
  };
  expect(of('once', '2026-05-01T09:00:00Z')).toEqual([['12:00'], '13:00']);
  expect(of('skip', '2026-05-01T09:00:00Z')).toEqual([[], '13:00']);
  expect(of('all', '2026-05-01T09:00:00Z')).toEqual([['09:00', '10:00', '11:00', '12:00'], '13:00']);
  const [runs, next] = of('all', '2026-01-01T00:00:00Z');
  expect([runs?.length, next]).toEqual([100, '13:00']);
  expect(of('once', '2026-01-01T00:00:00Z')).toEqual([[], '13:00']);
});
