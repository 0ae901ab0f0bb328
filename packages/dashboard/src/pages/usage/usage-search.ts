import type { UsageRange } from '../../api/usage.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const rangeMs = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs, quarter: 90 * dayMs } as const;
type Range = keyof typeof rangeMs;

const measures = ['calls', 'failures', 'p95', 'bytesOut', 'bytesIn', 'limited'] as const;
export type Measure = (typeof measures)[number];

interface UsageSearch {
  readonly range?: Range;
  readonly measure?: Measure;
  /** What was zoomed into, in milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
}

const isRange = (word: unknown): word is Range => typeof word === 'string' && Object.hasOwn(rangeMs, word);

/** What the address says of the time and the figure that are looked at. */
export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { range, from, to } = search;
  const measure = measures.find((one) => one === search.measure);
  const isZoom = typeof from === 'number' && typeof to === 'number' && from < to;
  return {
    ...(isRange(range) && { range }),
    ...(measure && { measure }),
    ...(isZoom && { from, to }),
  };
}

/** Up to a week by hours, longer times by days. */
export function timesOf({ range = 'day', from, to }: UsageSearch, now = Date.now()): UsageRange {
  const end = to ?? Math.ceil(now / hourMs) * hourMs;
  const start = from ?? end - rangeMs[range];
  const step = end - start > 7 * dayMs ? 'day' : 'hour';
  const ms = stepMs[step];
  return { from: Math.floor(start / ms) * ms, to: end, step };
}

export const stepMs = { hour: hourMs, day: dayMs } as const;
