import { readdirSync, readFileSync } from 'node:fs';

/** What a process and its database hold at a moment. */
export interface Holding {
  readonly megabytes: number;
  readonly handles: number;
  readonly connections: number;
}

/** What is warm after a quarter of the run may not be more than this many times as much in its last quarter. */
const mostGrowth = 1.3;
const fewest = 8;

export function holdingOf(pid: number, connections: number): Holding {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    megabytes: Number(kilobytes) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    connections,
  };
}

/** What grew from the second quarter of a run to the last, in sentences. */
export function growthOf(holdings: readonly Holding[]): string[] {
  if (holdings.length < fewest) return [`Only ${holdings.length} looks at what a node holds.`];
  const quarter = Math.floor(holdings.length / 4);
  const early = holdings.slice(quarter, 2 * quarter);
  const late = holdings.slice(-quarter);
  return (['megabytes', 'handles', 'connections'] as const).flatMap((what) => {
    const [before, after] = [early, late].map((some) => median(some.map((holding) => holding[what])));
    return after! > before! * mostGrowth ? [`From ${before!.toFixed()} to ${after!.toFixed()} ${what}.`] : [];
  });
}

export function describeHoldings(holdings: readonly Holding[]): string {
  const quarter = Math.max(1, Math.floor(holdings.length / 4));
  const parts = [0, 1, 2, 3].map((nth) => holdings.slice(nth * quarter, (nth + 1) * quarter));
  return (['megabytes', 'handles', 'connections'] as const)
    .map(
      (what) => `${what} ${parts.map((part) => median(part.map((one) => one[what])).toFixed()).join(', ')}`,
    )
    .join('; ');
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
