import { Link } from '@tanstack/react-router';
import { clock } from '../../kit/figures.ts';
import { Table } from '../../kit/table.tsx';
import { Tag } from '../../kit/tag.tsx';
import { texts } from '../../texts.ts';
import css from './realtime-page.module.css';
import type { Frame } from './use-frames.ts';

const { realtime: words } = texts;
const tones: Readonly<Record<string, 'good' | 'warning' | 'bad'>> = {
  created: 'good',
  deleted: 'bad',
  missed: 'warning',
};

interface FrameTableProps {
  readonly label: string;
  readonly frames: readonly Frame[];
  /** Where the documents are that they are about. */
  readonly of?: { readonly ref: string; readonly collection: string };
}

export function FrameTable({ label, frames, of }: FrameTableProps) {
  return (
    <div className={css.frames}>
      <Table stacks label={label} heads={words.heads}>
        {frames.map(({ number, at, kind, id, body }) => (
          <tr key={number}>
            <td>{clock(at)}</td>
            <td>
              <Tag tone={tones[kind] ?? 'plain'}>{kind}</Tag>
            </td>
            <td className={css.body}>
              {id !== undefined && of && (
                <Link to="/p/$ref/data/$collection" params={of} search={{ doc: id }}>
                  {id}
                </Link>
              )}{' '}
              <code>{body}</code>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
