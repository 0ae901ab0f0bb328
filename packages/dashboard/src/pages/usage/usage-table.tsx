import { Link } from '@tanstack/react-router';
import { callsOf, type UsageRange, type UsageStep } from '../../api/usage.ts';
import { bytes, duration, shortCount } from '../../kit/figures.ts';
import { Table } from '../../kit/table.tsx';
import { texts } from '../../texts.ts';
import { nameOf } from './measures.ts';
import css from './usage-page.module.css';
import { stepMs } from './usage-search.ts';

const { usage: words } = texts;

interface UsageTableProps {
  readonly projectRef: string;
  readonly steps: readonly UsageStep[];
  readonly times: UsageRange;
}

/** The same as the chart in figures, the latest first, without the steps in which nothing happened. */
export function UsageTable({ projectRef: ref, steps, times: { step } }: UsageTableProps) {
  const busy = steps.filter((one) => callsOf(one) > 0).toReversed();
  return (
    <details className={css.figures}>
      <summary>{words.table}</summary>
      {busy.length === 0 && <p>{words.noCalls}</p>}
      {busy.length > 0 && (
        <Table label={words.table} heads={words.heads}>
          {busy.map((one) => (
            <tr key={one.at}>
              <td>
                <Link
                  to="/p/$ref/requests"
                  params={{ ref }}
                  search={{ from: one.at, to: endOf(one.at, step) }}
                >
                  {nameOf(Date.parse(one.at), step)}
                </Link>
              </td>
              <td>{shortCount(callsOf(one))}</td>
              <td>{shortCount(one.failures)}</td>
              <td>{one.p50Ms === null ? '' : duration(one.p50Ms)}</td>
              <td>{one.p95Ms === null ? '' : duration(one.p95Ms)}</td>
              <td>{bytes(one.bytesIn)}</td>
              <td>{bytes(one.bytesOut)}</td>
              <td>{shortCount(one.limited)}</td>
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}

const endOf = (at: string, step: UsageRange['step']): string =>
  new Date(Date.parse(at) + stepMs[step]).toISOString();
