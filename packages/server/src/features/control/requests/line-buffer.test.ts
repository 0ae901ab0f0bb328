import { expect, test } from 'vitest';
import { type Line, LineBuffer } from './line-buffer.ts';

const line = (status: number) => ({ project: { id: '1', ref: 'a' }, record: { status } }) as Line;

test('when too many lines wait, the oldest successes go, and are counted; then the oldest failures', () => {
  const buffer = new LineBuffer();
  let dropped = 0;
  for (let n = 0; n < 15_000; n += 1) dropped += buffer.add(line(404));
  for (let n = 0; n < 25_000; n += 1) dropped += buffer.add(line(200));
  expect(buffer.size).toBeLessThanOrEqual(20_000);
  expect(buffer.size + dropped).toBe(40_000);
  expect(buffer.take(15_001).filter(({ record }) => record.status === 404)).toHaveLength(15_000);

  for (let n = 0; n < 30_000; n += 1) buffer.add(line(500));
  expect(buffer.size).toBeLessThanOrEqual(20_000);
});
