import { expect, test } from 'vitest';
import type { Log } from '../log.ts';
import { type ClockReading, compareClocks } from './clock-reading.ts';
import { ClockWatch } from './clock-watch.ts';

/** Clocks that this node is ahead of by so many milliseconds, and what is logged of them. */
function watching(ahead: Record<string, number>) {
  const lines: string[] = [];
  const note = (_about: object, line: string) => void lines.push(line);
  const read = (name: string) => (): ClockReading => ({ aheadMs: ahead[name]!, readAt: performance.now() });
  const sources = new Map(Object.keys(ahead).map((name) => [name, read(name)]));
  const watch = new ClockWatch(sources, { warn: note, info: note } as unknown as Log);
  return { watch, lines, ahead };
}

test('a difference is told once, and its end once', () => {
  const { watch, lines, ahead } = watching({ 'cell 1': 3, redis: -2 });
  watch.look();
  expect(lines).toEqual([]);
  ahead['cell 1'] = 1500;
  watch.look();
  watch.look();
  expect(lines).toEqual([expect.stringContaining('1.5 s ahead of that of cell 1')]);
  ahead['cell 1'] = 0;
  watch.look();
  watch.look();
  expect(lines).toEqual([expect.anything(), expect.stringContaining('agrees with that of cell 1 again')]);
});

test('this node is wrong if most others say so; if one alone differs, that one is', () => {
  const faultOf = (ahead: Record<string, number>) => watching(ahead).watch.fault;
  expect(faultOf({})).toBeUndefined();
  expect(faultOf({ 'cell 1': 4900 })).toBeUndefined();
  expect(faultOf({ 'cell 1': -6000 })).toContain('6.0 s behind');
  expect(faultOf({ 'cell 1': 6000, redis: 0 })).toBeUndefined();
  expect(faultOf({ 'cell 1': 6000, redis: 6000 })).toContain('6.0 s ahead');
  expect(faultOf({ 'cell 1': 6000, redis: 6000, 'cell 2': 0 })).toBeDefined();
  expect(faultOf({ 'cell 1': 6000, redis: 0, 'cell 2': 0 })).toBeUndefined();
});

test('what the way takes is no difference', () => {
  const now = Date.now();
  expect(compareClocks(now - 1, now - 2).aheadMs).toBe(0);
  expect(compareClocks(now - 5000, now - 20).aheadMs).toBe(4980);
  expect(compareClocks(now + 60_000, now - 20).aheadMs).toBeLessThan(-59_000);
});
