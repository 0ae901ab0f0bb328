import { type ReactNode, useId } from 'react';
import css from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
}

/** A part of a page, with its heading. */
export function Section({ title, lead, children }: SectionProps) {
  const id = useId();
  return (
    <section className={css.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead && <p className={css.lead}>{lead}</p>}
      {children}
    </section>
  );
}
