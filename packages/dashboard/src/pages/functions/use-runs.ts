import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FunctionRun, newRunsQuery, type RunFilter, runsQuery } from '../../api/functions.ts';

/** The runs of a project, the newest first: those of the past, and those that come. */
export function useRuns(ref: string, filter: RunFilter) {
  const past = useInfiniteQuery(runsQuery(ref, filter));
  const first = past.data?.pages[0]?.[0]?.id;
  const fresh = useQuery({ ...newRunsQuery(ref, filter, first), enabled: past.isSuccess });
  const runs = newestFirst([...(fresh.data ?? []), ...(past.data?.pages.flat() ?? [])]);
  return { runs, past, isAway: fresh.isError };
}

/** A run may be in a page and have come by itself too. */
function newestFirst(runs: readonly FunctionRun[]): FunctionRun[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return Array.from(byId.values()).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}
