import type { FinishedCall } from '../../../calls/index.ts';
import { addDurations, bucketOf, noDurations } from './durations.ts';

/** What is counted. Every call is a read, a write or one of signing in; some fail, of these some at the rate limit. */
const figures = [
  'reads',
  'writes',
  'auths',
  'failures',
  'limited',
  'msTotal',
  'bytesIn',
  'bytesOut',
] as const;
export type Figure = (typeof figures)[number];

/** What a project has used in some time. */
export type Usage = Record<Figure, number> & { readonly durations: number[] };

export function noUsage(): Usage {
  return {
    reads: 0,
    writes: 0,
    auths: 0,
    failures: 0,
    limited: 0,
    msTotal: 0,
    bytesIn: 0,
    bytesOut: 0,
    durations: noDurations(),
  };
}

export function addCall(usage: Usage, call: FinishedCall): void {
  if (call.kind === 'read') usage.reads += 1;
  else if (call.kind === 'write') usage.writes += 1;
  else usage.auths += 1;
  if (call.status >= 400) usage.failures += 1;
  if (call.status === 429) usage.limited += 1;
  usage.bytesIn += call.bytesIn;
  usage.bytesOut += call.bytesOut;
  // How long somebody stays connected says nothing about how fast the service is.
  if (call.staysOpen) return;
  usage.msTotal += call.ms;
  const bucket = bucketOf(call.ms);
  usage.durations[bucket] = (usage.durations[bucket] ?? 0) + 1;
}

export function addUsage(usage: Usage, other: Usage): void {
  for (const figure of figures) usage[figure] += other[figure];
  addDurations(usage.durations, other.durations);
}

export function callsOf({ reads, writes, auths }: Usage): number {
  return reads + writes + auths;
}
