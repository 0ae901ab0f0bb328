import { useEffect, useRef } from 'react';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { type Column, cellOf, isSystem, type Row, titleOf, valueAt } from './columns.ts';
import css from './document-cards.module.css';
import type { Selection } from './use-selection.ts';
import { useWindow } from './use-window.ts';

const cardHeight = 84;
const fieldsShown = 2;

interface DocumentCardsProps {
  readonly rows: readonly Row[];
  readonly start: number;
  readonly reach: number;
  readonly columns: readonly Column[];
  readonly selection: Selection;
  readonly onOpen: (id: string) => void;
  readonly onSee: (from: number, to: number) => void;
}

/** Documents where there is no room for columns. */
export function DocumentCards(props: DocumentCardsProps) {
  const { rows, start, reach, columns, selection, onOpen, onSee } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useWindow(scroller, reach, cardHeight);
  useEffect(() => onSee(from, to), [from, to, onSee]);
  return (
    <div ref={scroller} className={css.scroller}>
      <ul
        className={css.cards}
        aria-label={texts.data.grid}
        ref={(element) => element?.style.setProperty('height', `${reach * cardHeight}px`)}
      >
        {rows.slice(Math.max(0, from - start), Math.max(0, to - start)).map((row, n) => (
          <li
            key={row.id}
            ref={(element) =>
              element?.style.setProperty('top', `${(Math.max(from, start) + n) * cardHeight}px`)
            }
          >
            <Card row={row} columns={columns} isSelected={selection.rows.has(row.id)} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type CardProps = Pick<DocumentCardsProps, 'columns' | 'onOpen'> & {
  readonly row: Row;
  readonly isSelected: boolean;
};

function Card({ row, columns, isSelected, onOpen }: CardProps) {
  const title = titleOf(row);
  const facts = columns.flatMap(({ field, path }) => {
    const value = valueAt(row, path);
    return isSystem(field) || value === undefined || value === title
      ? []
      : [`${field} ${cellOf(value).text}`];
  });
  return (
    <button type="button" className={css.card} data-selected={isSelected} onClick={() => onOpen(row.id)}>
      <strong>{title}</strong>
      <span>{facts.slice(0, fieldsShown).join(' · ') || '\u00A0'}</span>
      <span className={css.time}>{when(String(row.updatedAt))}</span>
    </button>
  );
}
