import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from './iso-time.ts';

test('a moment is written as toISOString writes it', () => {
  const moments = fc.integer({ min: -1, max: 253_402_300_800_000 });
  fc.assert(
    fc.property(moments, (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: 5000 },
  );
  for (const text of ['1970-01-01T00:00:00.000Z', '2000-02-29T23:59:59.999Z', '2100-03-01T00:00:00.001Z'])
    expect(isoTime(Date.parse(text))).toBe(text);
});
