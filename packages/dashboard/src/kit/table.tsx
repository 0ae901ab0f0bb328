import type { ReactNode } from 'react';
import css from './table.module.css';

interface TableProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** On a phone, each row is a block of lines: for facts that explain themselves without their heads. */
  readonly stacks?: boolean;
  /** Its rows: `<tr>` with a `<td>` for each head. */
  readonly children: ReactNode;
}

/** Facts in columns. What is wider than the page scrolls by itself, by keyboard too. */
export function Table({ label, heads, stacks = false, children }: TableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls it with the arrows
    <div className={css.scroller} role="region" aria-label={label} tabIndex={0}>
      <table className={css.table} data-stacks={stacks}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
