/** How many took less than 1 ms, from 1 to below 2, from 2 to below 4 …; the last holds all that took longer. */
export type Durations = readonly number[];

/** Queries that take no longer than this need no help. */
export const quickMs = 5;

/** What was asked less often is no reason for an index. */
export const enoughCalls = 5;

const buckets = 16;

export function noDurations(): number[] {
  return Array.from({ length: buckets }, () => 0);
}

/** Counts so many calls that took so long. */
export function addDuration(durations: number[], ms: number, calls: number): void {
  addTo(durations, Math.min(32 - Math.clz32(ms), buckets - 1), calls);
}

/** Adds the counts of one to those of another. */
export function addDurations(durations: number[], others: Durations): void {
  for (const [at, count] of others.entries()) addTo(durations, at, count);
}

function addTo(durations: number[], at: number, calls: number): void {
  durations[at] = (durations[at] ?? 0) + calls;
}

/** The duration that half of the calls stayed below, as well as the counts tell; null for no calls. */
export function medianOf(durations: Durations): number | null {
  const half = durations.reduce((sum, count) => sum + count, 0) / 2;
  if (half === 0) return null;
  let below = 0;
  for (const [at, count] of durations.entries()) {
    if (below + count >= half) {
      const from = at === 0 ? 0 : 2 ** (at - 1);
      return from + (2 ** at - from) * ((half - below) / count);
    }
    below += count;
  }
  return null;
}
