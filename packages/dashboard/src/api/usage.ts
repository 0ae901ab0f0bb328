import { queryOptions } from '@tanstack/react-query';
import { askManaged, manage } from './management.ts';

/** What was used within an hour or a day. */
export interface UsageStep {
  readonly at: string;
  readonly reads: number;
  readonly writes: number;
  readonly auths: number;
  readonly failures: number;
  /** Past the rate limit. */
  readonly limited: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface UsageRange {
  readonly from: number;
  readonly to: number;
  readonly step: 'hour' | 'day';
}

interface Usage {
  readonly data: readonly UsageStep[];
  /** What the tier allows. */
  readonly limits: { readonly callsPerMinute: number };
}

/** Processes add what they have counted about as often. */
const lookEveryMs = 30_000;

export const usageQuery = (ref: string, { from, to, step }: UsageRange) =>
  queryOptions({
    queryKey: ['projects', ref, 'usage', from, to, step],
    queryFn: ({ signal }) => {
      const times = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
      return askManaged<Usage>(`/projects/${ref}/usage?${times}&step=${step}`, { signal });
    },
    refetchInterval: lookEveryMs,
  });

export const callsOf = ({ reads, writes, auths }: UsageStep): number => reads + writes + auths;

interface Use {
  readonly used: number;
  /** Null: there is none. */
  readonly limit: number | null;
}

/** What the project holds, and how much it may. */
export const holdingsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'holdings'],
    queryFn: ({ signal }) => manage<Readonly<Record<string, Use>>>(`/p/${ref}/usage`, { signal }),
  });

/** What the project held at the end of a day; days without a change are left out. */
export interface HeldDay {
  readonly day: string;
  readonly documents: number;
  readonly documentBytes: number;
  readonly storageBytes: number;
  readonly users: number;
}

/** Of the last 90 days. */
export const heldDaysQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'held-days'],
    queryFn: ({ signal }) => manage<readonly HeldDay[]>(`/projects/${ref}/usage/days`, { signal }),
  });
