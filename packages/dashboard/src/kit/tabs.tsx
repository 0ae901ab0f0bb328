import type { ReactNode } from 'react';
import css from './tabs.module.css';

/** The parts of a page, each a link: the router marks the one that is open. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
