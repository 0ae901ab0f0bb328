import type { ReactNode } from 'react';
import css from './head.module.css';

interface HeadProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** What can be done on the page as a whole. */
  readonly children?: ReactNode;
}

/** The head of a page, which stands on a plinth. */
export function Head({ title, lead, children }: HeadProps) {
  return (
    <div className={css.head}>
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p className={css.lead}>{lead}</p>}
      </div>
      {children !== undefined && <div className={css.actions}>{children}</div>}
    </div>
  );
}
