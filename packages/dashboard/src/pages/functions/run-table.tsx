import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FunctionRun, runQuery } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { clock, duration, moment } from '../../kit/figures.ts';
import { Table } from '../../kit/table.tsx';
import css from './functions.module.css';
import { OutcomeTag } from './run-tags.tsx';

const { functionRuns: words } = codeTexts;

interface RunTableProps {
  readonly projectRef: string;
  readonly runs: readonly FunctionRun[];
  /** All of them are of one function, which needs no naming. */
  readonly isOfOne?: boolean;
}

/** Runs in rows; each leads to all that is known of it. */
export function RunTable({ projectRef: ref, runs, isOfOne = false }: RunTableProps) {
  return (
    <div className={css.runs} data-of-one={isOfOne}>
      <Table label={words.label} heads={words.heads}>
        {runs.map((run) => (
          <RunRow key={run.id} projectRef={ref} run={run} />
        ))}
      </Table>
    </div>
  );
}

function RunRow({ projectRef: ref, run }: { readonly projectRef: string; readonly run: FunctionRun }) {
  const queries = useQueryClient();
  const time = isOfToday(run.at) ? clock(run.at) : moment(run.at);
  return (
    <tr>
      <td>
        <Link
          to="/p/$ref/functions/runs/$run"
          params={{ ref, run: run.id }}
          preload={false}
          aria-label={words.open(run.function, time)}
          // All of it is here already.
          onClick={() => queries.setQueryData(runQuery(ref, run.id).queryKey, run)}
        >
          <time dateTime={run.at} title={moment(run.at)}>
            {time}
          </time>
        </Link>
      </td>
      <td>
        <OutcomeTag outcome={run.outcome} />
      </td>
      <td className={css.function}>
        <span className={css.functionName}>{run.function}</span>
        <span className={css.said}>{run.error?.message ?? run.logs.at(-1)?.text}</span>
      </td>
      <td>{words.triggers[run.kind]}</td>
      <td className={css.figure}>{run.status}</td>
      <td className={css.figure}>{duration(run.ms)}</td>
    </tr>
  );
}

const isOfToday = (at: string): boolean => new Date(at).toDateString() === new Date().toDateString();
