import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RequestRecord, requestQuery } from '../../api/requests.ts';
import { bytes, clock, duration, moment } from '../../kit/figures.ts';
import { Table } from '../../kit/table.tsx';
import { Tag } from '../../kit/tag.tsx';
import { texts } from '../../texts.ts';
import css from './requests-page.module.css';

const { requests: words } = texts;

interface RequestTableProps {
  readonly projectRef: string;
  readonly rows: readonly RequestRecord[];
}

export function RequestTable({ projectRef: ref, rows }: RequestTableProps) {
  const queries = useQueryClient();
  // One that has just come is not in the log yet.
  const keep = (row: RequestRecord) => queries.setQueryData(requestQuery(ref, row.id).queryKey, row);
  return (
    <div className={css.list}>
      <Table label={words.title} heads={words.heads}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <time dateTime={row.at} title={moment(row.at)}>
                {isOfToday(row.at) ? clock(row.at) : moment(row.at)}
              </time>
            </td>
            <td>
              <StatusTag status={row.status} />
            </td>
            <td className={css.call}>
              <Link
                to="/p/$ref/requests/$request"
                params={{ ref, request: row.id }}
                search={true}
                preload={false}
                onClick={() => keep(row)}
              >
                {callOf(row)}
              </Link>
              {row.code && <span className={css.code}>{row.code}</span>}
              {row.weight > 1 && <span className={css.code}>{words.standsFor(row.weight)}</span>}
            </td>
            <td>{words.credentials[row.credential]}</td>
            <td className={css.figure}>{duration(row.ms)}</td>
            <td className={css.figure}>{bytes(row.bytesOut)}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

const isOfToday = (at: string): boolean => new Date(at).toDateString() === new Date().toDateString();

/** The method and the path, where it was kept. */
export function callOf({ route, path, query }: RequestRecord): string {
  const [method = ''] = route.split(' ');
  return path === null ? route : `${method} ${path}${query === null ? '' : `?${query}`}`;
}

export function StatusTag({ status }: { readonly status: number }) {
  return <Tag tone={toneOf(status)}>{status}</Tag>;
}

function toneOf(status: number): 'good' | 'warning' | 'bad' {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warning' : 'good';
}
