import type { ReactNode } from 'react';
import type { Health } from '../../api/deliveries.ts';
import { codeTexts } from '../../code-texts.ts';
import { moment } from '../../kit/figures.ts';
import css from './deliveries.module.css';

const { deliveries: words } = codeTexts;

interface NoticeProps {
  readonly tone?: 'warning' | 'bad';
  readonly children: ReactNode;
}

/** Something about the state of a thing that should not be overlooked. */
export function Notice({ tone = 'warning', children }: NoticeProps) {
  return (
    <p className={css.notice} data-tone={tone}>
      {children}
    </p>
  );
}

/** Whether it fails, and whether nothing is tried for a while because of that. */
export function HealthNotices({ health }: { readonly health: Health }) {
  const { failingSince, pausedUntil } = health;
  return (
    <>
      {failingSince !== null && <Notice>{words.failingSince(moment(failingSince))}</Notice>}
      {pausedUntil !== null && <Notice>{words.pausedUntil(moment(pausedUntil))}</Notice>}
    </>
  );
}
