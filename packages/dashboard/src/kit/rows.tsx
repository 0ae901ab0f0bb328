import type { ReactNode } from 'react';
import css from './rows.module.css';

export function Rows({ children }: { readonly children: ReactNode }) {
  return <ul className={css.rows}>{children}</ul>;
}

interface RowProps {
  readonly title: ReactNode;
  readonly facts: string;
  readonly children?: ReactNode;
}

/** One of a short list: what it is, what is known of it, what can be done with it. */
export function Row({ title, facts, children }: RowProps) {
  return (
    <li className={css.row}>
      <div className={css.what}>
        <div>{title}</div>
        <div className={css.facts}>{facts}</div>
      </div>
      {children}
    </li>
  );
}
