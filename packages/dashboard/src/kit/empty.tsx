import type { ReactNode } from 'react';
import css from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  /** What can be done about it. */
  readonly children?: ReactNode;
}

/** Where nothing is yet: what this is for, and how it begins. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className={css.empty}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}
