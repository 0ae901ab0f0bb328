/** How many calls took less than 1 ms, from 1 to below 2, from 2 to below 4 …; the last holds all that took longer. */
export type Durations = readonly number[];

const buckets = 12;

export function noDurations(): number[] {
  return Array.from({ length: buckets }, () => 0);
}

export function bucketOf(ms: number): number {
  return Math.min(32 - Math.clz32(ms), buckets - 1);
}

/** Adds the counts of one to those of another. */
export function addDurations(durations: number[], others: Durations): void {
  for (const [at, count] of others.entries()) durations[at] = (durations[at] ?? 0) + count;
}

/** The duration that this share of the calls stayed below, as well as the counts tell; null for no calls. */
export function quantileOf(durations: Durations, share: number): number | null {
  const wanted = durations.reduce((sum, count) => sum + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  for (const [at, count] of durations.entries()) {
    if (below + count >= wanted) {
      const from = at === 0 ? 0 : 2 ** (at - 1);
      return from + (2 ** at - from) * ((wanted - below) / count);
    }
    below += count;
  }
  return null;
}
