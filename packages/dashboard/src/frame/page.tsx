import type { ReactNode } from 'react';
import css from './frame.module.css';

/** A page that is read from top to bottom. */
export function Page({ children }: { readonly children: ReactNode }) {
  return <div className={css.page}>{children}</div>;
}
