import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FaultLog } from './fault-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first fault is logged at once, the others once a second with their number', () => {
  const lines: { err: unknown; calls: number }[] = [];
  const faults = new FaultLog({ error: (line: { err: unknown; calls: number }) => void lines.push(line) });
  for (let call = 0; call < 1000; call += 1) faults.note(new Error(`away ${call}`));
  expect(lines).toMatchObject([{ calls: 1, err: { message: 'away 0' } }]);
  vi.advanceTimersByTime(1000);
  expect(lines.slice(1)).toMatchObject([{ calls: 999, err: { message: 'away 999' } }]);
  vi.advanceTimersByTime(5000);
  expect(lines).toHaveLength(2);
  faults.note(new Error('away again'));
  expect(lines[2]).toMatchObject({ calls: 1 });
});
