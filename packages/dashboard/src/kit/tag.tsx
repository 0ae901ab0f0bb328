import type { ReactNode } from 'react';
import css from './tag.module.css';

type Tone = 'plain' | 'good' | 'warning' | 'bad';

/** A word about the state of something. */
export function Tag({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className={css.tag} data-tone={tone}>
      {children}
    </span>
  );
}
