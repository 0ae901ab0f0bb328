import { type PointerEvent, useState } from 'react';
import { texts } from '../../texts.ts';
import type { Column } from './columns.ts';
import css from './document-grid.module.css';

const { data: words } = texts;

interface GridHeadProps {
  /** Those that are drawn, and the number of the first of them. */
  readonly columns: readonly Column[];
  readonly first: number;
  readonly sort: string;
  readonly isAllSelected: boolean;
  readonly onAll: (isAll: boolean) => void;
  readonly onSort: (sort: string) => void;
  readonly onWidth: (field: string, width: number) => void;
}

/** Names of the columns: each sorts ascending, descending, not at all, and is as wide as its edge is drawn. */
export function GridHead({ columns, first, sort, isAllSelected, onAll, onSort, onWidth }: GridHeadProps) {
  return (
    <div className={css.head} role="row" aria-rowindex={1}>
      <div role="columnheader" className={css.choose} aria-colindex={1}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={words.selectAll}
          checked={isAllSelected}
          onChange={(event) => onAll(event.target.checked)}
        />
      </div>
      {columns.map(({ field, width, isNumeric }, n) => {
        const direction = { [field]: 'ascending', [`-${field}`]: 'descending' }[sort] ?? 'none';
        const next = { none: field, ascending: `-${field}`, descending: '' }[direction] ?? '';
        return (
          <div
            key={field}
            role="columnheader"
            aria-label={field}
            aria-colindex={first + n + 2}
            aria-sort={direction as 'ascending' | 'descending' | 'none'}
            className={`${css.cell} ${isNumeric ? css.numeric : ''}`}
          >
            <button type="button" tabIndex={-1} onClick={() => onSort(next)}>
              <span>{field}</span>
            </button>
            <Edge width={width} onWidth={(px) => onWidth(field, px)} />
          </div>
        );
      })}
    </div>
  );
}

function Edge({ width, onWidth }: { readonly width: number; readonly onWidth: (width: number) => void }) {
  const [grip, setGrip] = useState<number>();
  const onDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setGrip(event.clientX - width);
  };
  return (
    <span
      className={css.edge}
      aria-hidden="true"
      data-gripped={grip !== undefined || undefined}
      onPointerDown={onDown}
      onPointerMove={(event) => grip !== undefined && onWidth(event.clientX - grip)}
      onPointerUp={() => setGrip(undefined)}
      onPointerCancel={() => setGrip(undefined)}
    />
  );
}
