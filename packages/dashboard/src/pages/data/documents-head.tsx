import type { ReactNode } from 'react';
import { texts } from '../../texts.ts';
import css from './data-page.module.css';

const { data: words } = texts;

interface DocumentsHeadProps {
  readonly collection: string;
  readonly total: { readonly total: number; readonly isFloor: boolean } | undefined;
  readonly status: keyof typeof words.states;
  /** What can be done with the collection. */
  readonly children: ReactNode;
}

/** Which collection it is, how large, and whether changes are seen as they happen. */
export function DocumentsHead({ collection, total, status, children }: DocumentsHeadProps) {
  return (
    <header className={css.head}>
      <h1>{collection}</h1>
      {total && <span className={css.total}>{words.documents(total.total, total.isFloor)}</span>}
      <span className={css.live} data-status={status} role="status">
        {words.states[status]}
      </span>
      <div className={css.actions}>{children}</div>
    </header>
  );
}
