import { queryOptions } from '@tanstack/react-query';
import { runsKey } from './functions.ts';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

/** A function that runs at set times. */
export interface Schedule {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly missed: 'once' | 'skip' | 'all';
  readonly overlap: 'skip' | 'queue' | 'allow';
  readonly isPaused: boolean;
  readonly nextAt: string | null;
  readonly upcoming: readonly string[];
  readonly lastAt: string | null;
}

const lookEveryMs = 5000;
const pathOf = (ref: string) => `/p/${ref}/schedules`;

/** All of them: there are few, and the page of one needs no other call. */
export const schedulesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'schedules'],
    queryFn: ({ signal }) => manage<Schedule[]>(pathOf(ref), { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

export const usePauseSchedule = (ref: string, name: string) =>
  useChange(
    (isPaused: boolean) =>
      manage<Schedule>(`${pathOf(ref)}/${encodeURIComponent(name)}`, { method: 'PATCH', body: { isPaused } }),
    schedulesQuery(ref).queryKey,
  );

export const useRunSchedule = (ref: string, name: string) =>
  useChange(
    () =>
      manage<{ readonly id: string }>(`${pathOf(ref)}/${encodeURIComponent(name)}/run`, { method: 'POST' }),
    runsKey(ref, { function: name }),
  );
