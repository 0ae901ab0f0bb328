import { invalidQuery } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { quantileOf } from './durations.ts';
import { addUsage, noUsage, type Usage } from './usage.ts';
import { listHours } from './usage-store.ts';

interface UsageRange {
  readonly from: Date;
  readonly to: Date;
  readonly step: 'hour' | 'day';
}

export interface UsageStep extends Readonly<Usage> {
  readonly at: Date;
  /** As well as the counts of durations tell. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

const stepMs = { hour: 3_600_000, day: 86_400_000 };
const mostSteps = 1000;

/** What the project has used from a time to another, by hours or days (UTC); steps without a call are left out. */
export async function readUsageHours(db: ProjectDb, { from, to, step }: UsageRange): Promise<UsageStep[]> {
  const ms = stepMs[step];
  const start = startOf(from, ms);
  if (to.getTime() - start > mostSteps * ms)
    throw invalidQuery('from', `The range can have at most ${mostSteps} ${step}s.`);
  const hours = await listHours(db, { from: new Date(start), to });
  const steps = Map.groupBy(hours, ({ hour }) => startOf(hour, ms));
  return Array.from(steps, ([at, parts]) => {
    const usage = noUsage();
    for (const part of parts) addUsage(usage, part.usage);
    const { durations } = usage;
    return {
      at: new Date(at),
      ...usage,
      p50Ms: quantileOf(durations, 0.5),
      p95Ms: quantileOf(durations, 0.95),
    };
  });
}

function startOf(time: Date, ms: number): number {
  return Math.floor(time.getTime() / ms) * ms;
}
