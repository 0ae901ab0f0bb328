import { Link } from '@tanstack/react-router';
import type { Deployment, FunctionRecord, FunctionRun } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Table } from '../../kit/table.tsx';
import { triggerWords } from './function-words.ts';
import css from './functions.module.css';
import { isFailed, KindTag } from './run-tags.tsx';
import { useRuns } from './use-runs.ts';

const { functions: words } = codeTexts;

interface FunctionListProps {
  readonly projectRef: string;
  readonly deployments: readonly Deployment[];
}

/** The functions of the version that runs, and how they are of late. */
export function FunctionList({ projectRef: ref, deployments }: FunctionListProps) {
  const active = deployments.find(({ isActive }) => isActive);
  const { runs } = useRuns(ref, {});
  if (!active || active.functions.length === 0) return <NoFunctions />;
  return (
    <>
      {runs[0]?.outcome === 'off' && <p role="alert">{words.offNow}</p>}
      <div className={css.functions}>
        <Table label={words.title} heads={words.heads}>
          {active.functions.map((one) => (
            <FunctionRow key={one.name} projectRef={ref} one={one} runs={runs} />
          ))}
        </Table>
      </div>
      <p className={css.note}>
        {words.version(active.version)}. {runs.length > 0 && words.lately(runs.length)}
      </p>
    </>
  );
}

interface FunctionRowProps {
  readonly projectRef: string;
  readonly one: FunctionRecord;
  readonly runs: readonly FunctionRun[];
}

function FunctionRow({ projectRef: ref, one, runs }: FunctionRowProps) {
  const own = runs.filter((run) => run.function === one.name);
  const failed = own.filter(isFailed).length;
  return (
    <tr>
      <td className={css.name}>
        <Link to="/p/$ref/functions/$function" params={{ ref, function: one.name }}>
          {one.name}
        </Link>
      </td>
      <td>
        <KindTag kind={one.kind} />
      </td>
      <td className={css.trigger}>{triggerWords(one)}</td>
      <td className={css.lately}>
        {own.length === 0 ? words.noneLately : words.runCount(own.length)}
        {failed > 0 && (
          <>
            {', '}
            <Link
              className={css.failed}
              to="/p/$ref/functions/$function"
              params={{ ref, function: one.name }}
              search={{ outcome: 'failed' }}
            >
              {words.failedCount(failed)}
            </Link>
          </>
        )}
      </td>
    </tr>
  );
}

function NoFunctions() {
  return (
    <Empty title={words.empty} text={words.emptyText}>
      <div className={css.commands}>
        <Copyable text="plinth functions new hello" label={words.newCommand} />
        <Copyable text="plinth functions deploy" label={words.deployCommand} />
      </div>
    </Empty>
  );
}
