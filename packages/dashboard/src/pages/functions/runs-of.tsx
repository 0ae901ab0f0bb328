import { Empty } from '../../kit/empty.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { RunTable } from './run-table.tsx';
import { useRuns } from './use-runs.ts';

interface RunsOfProps {
  readonly projectRef: string;
  readonly name: string;
  readonly none: { readonly title: string; readonly text: string };
}

/** What one function did, as it happens; each leads to its log. */
export function RunsOf({ projectRef: ref, name, none }: RunsOfProps) {
  const { runs, past } = useRuns(ref, { function: name });
  return (
    <>
      {past.error && <Problem error={past.error} onRetry={() => void past.refetch()} />}
      {past.isPending && <Wait lines={4} />}
      {past.isSuccess && runs.length === 0 && <Empty title={none.title} text={none.text} />}
      {runs.length > 0 && <RunTable projectRef={ref} runs={runs} isOfOne />}
      <LoadMore of={past} />
    </>
  );
}
