import { codeTexts } from '../../code-texts.ts';
import { Empty } from '../../kit/empty.tsx';
import { SelectField } from '../../kit/field.tsx';
import { LiveState } from '../../kit/live-state.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import css from './functions.module.css';
import type { RunsSearch } from './functions-search.ts';
import { RunTable } from './run-table.tsx';
import { useRuns } from './use-runs.ts';

const { functionRuns: words } = codeTexts;
interface RunListProps {
  readonly projectRef: string;
  readonly look: RunsSearch;
  /** To choose from; without them the runs are those of one function. */
  readonly functions?: readonly string[] | undefined;
  /** What is looked at changes in some of this; the rest stays. */
  readonly onLook: (changes: { readonly [name in keyof RunsSearch]: string | undefined }) => void;
}

/** Runs as they come, on top of those of the past. While it is paused nothing moves. */
export function RunList({ projectRef: ref, look, functions, onLook }: RunListProps) {
  const { paused, ...filter } = look;
  const { runs, past, isAway } = useRuns(ref, filter);
  const shown = paused === undefined ? runs : runs.filter(({ id }) => id <= paused);
  const newest = runs[0]?.id;
  const state = paused === undefined ? (isAway ? 'away' : 'live') : 'paused';
  const pause = () => onLook({ paused: paused === undefined ? newest : undefined });
  return (
    <>
      <div className={css.bar}>
        <RunFilters look={look} functions={functions} onLook={onLook} />
        <LiveState state={state} text={words.states[state]} />
        <button type="button" disabled={newest === undefined} onClick={pause}>
          {paused === undefined ? words.pause : words.goOn(runs.length - shown.length)}
        </button>
      </div>
      {past.error && <Problem error={past.error} onRetry={() => void past.refetch()} />}
      {past.isPending && <Wait lines={8} />}
      {shown.length > 0 && <RunTable projectRef={ref} runs={shown} isOfOne={functions === undefined} />}
      {past.isSuccess && shown.length === 0 && <Nothing look={look} isOfOne={functions === undefined} />}
      <LoadMore of={past} />
    </>
  );
}

function RunFilters({ look, functions, onLook }: Pick<RunListProps, 'look' | 'functions' | 'onLook'>) {
  const { function: name, outcome } = look;
  return (
    <div className={css.filters} role="search" aria-label={words.filters}>
      {functions && (
        <SelectField
          label={words.function}
          words={namesToChoose(functions, name)}
          value={name ?? ''}
          onChange={(chosen) => onLook({ function: chosen })}
        />
      )}
      <SelectField
        label={words.outcome}
        words={words.outcomeFilter}
        value={outcome ?? 'all'}
        onChange={(chosen) => onLook({ outcome: chosen === 'failed' ? chosen : undefined })}
      />
    </div>
  );
}

/** One that is no longer deployed may still have runs. */
function namesToChoose(functions: readonly string[], chosen: string | undefined): Record<string, string> {
  const names = chosen === undefined || functions.includes(chosen) ? functions : [chosen, ...functions];
  return { '': words.anyFunction, ...Object.fromEntries(names.map((name) => [name, name])) };
}

function Nothing({ look, isOfOne }: { readonly look: RunsSearch; readonly isOfOne: boolean }) {
  const isFiltered = look.outcome !== undefined || (look.function !== undefined && !isOfOne);
  return isFiltered ? (
    <Empty title={words.noneFits} text={words.noneFitsText} />
  ) : (
    <Empty title={words.empty} text={words.emptyText} />
  );
}
