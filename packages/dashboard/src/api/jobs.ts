import { infiniteQueryOptions } from '@tanstack/react-query';
import { askManaged } from './management.ts';

export const jobStatuses = ['failed', 'running', 'waiting'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Background work that is not done. */
export interface Job {
  readonly id: string;
  readonly kind: 'mail' | 'text' | 'sign_in' | 'collection' | 'removal' | 'other';
  readonly status: JobStatus;
  readonly collection: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly dueAt: string | null;
}

interface JobList {
  readonly data: readonly Job[];
  readonly total: number;
  readonly totalIsFloor?: true;
  readonly nextCursor?: string | null;
}

const lookEveryMs = 3000;

export const jobsQuery = (ref: string, status: JobStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['projects', ref, 'jobs', status ?? ''],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: '100',
        ...(status && { status }),
        ...(pageParam !== '' && { cursor: pageParam }),
      });
      return askManaged<JobList>(`/p/${ref}/jobs?${query.toString()}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });
