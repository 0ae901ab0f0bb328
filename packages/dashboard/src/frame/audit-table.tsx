import type { AuditEntry } from '../api/audit.ts';
import { Table } from '../kit/table.tsx';
import { Tag } from '../kit/tag.tsx';
import { when } from '../kit/when.ts';
import { texts } from '../texts.ts';
import css from './audit-table.module.css';

const { audit: words } = texts;

/** “setOrigins” as a person says it: “Set origins”. A call to the project itself is named as it is. */
export function nameOfAction(action: string): string {
  const known = words.actions[action];
  if (known !== undefined) return known;
  if (!/^[a-z]\w+$/i.test(action)) return action;
  const spaced = action
    .replace(/Account(?=[A-Z])/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `${spaced.slice(0, 1).toUpperCase()}${spaced.slice(1)}`;
}

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  /** Of one account alone: nobody needs to be named. */
  readonly isOwn?: boolean;
}

/** Who did what, the newest first. */
export function AuditTable({ entries, isOwn = false }: AuditTableProps) {
  const { when: moment, who, what, about, from } = words.heads;
  return (
    <Table stacks label={words.title} heads={[moment, ...(isOwn ? [] : [who]), what, about, from]}>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} isOwn={isOwn} />
      ))}
    </Table>
  );
}

function EntryRow({ entry, isOwn }: { readonly entry: AuditEntry; readonly isOwn: boolean }) {
  const { at, action, target, details, account, tokenId, status, address } = entry;
  return (
    <tr>
      <td className={css.when}>
        <time dateTime={at} title={new Date(at).toLocaleString('en')}>
          {when(at)}
        </time>
      </td>
      {!isOwn && (
        <td>
          {account ?? <span className={css.quiet}>{words.somebody}</span>}{' '}
          {tokenId !== null && <Tag>{words.byToken}</Tag>}
        </td>
      )}
      <td className={css.what}>
        {nameOfAction(action)}{' '}
        {status !== null && status >= 400 && <Tag tone="bad">{words.refused(status)}</Tag>}
      </td>
      <td className={css.about}>
        {target}
        <Details of={details} />
      </td>
      <td className={css.quiet}>{address}</td>
    </tr>
  );
}

const longestLine = 100;

/** What else is known: on a line where it is short, else behind a button. */
function Details({ of }: { readonly of: AuditEntry['details'] }) {
  const all = Object.entries(of);
  const said = all.filter(([, value]) => value !== null);
  const facts = said.length > 0 ? said : all;
  if (facts.length === 0) return null;
  const line = facts.map(([name, value]) => `${name}: ${textOf(value)}`).join(', ');
  if (line.length <= longestLine) return <div className={css.quiet}>{line}</div>;
  return (
    <details>
      <summary>{words.details}</summary>
      <pre>{JSON.stringify(of, null, 2)}</pre>
    </details>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? words.unset : JSON.stringify(value);
