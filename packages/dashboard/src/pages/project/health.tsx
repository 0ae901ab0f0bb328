import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callsOf, holdingsQuery, type UsageStep, usageQuery } from '../../api/usage.ts';
import { bytes, duration, shortCount } from '../../kit/figures.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import css from './home-page.module.css';

const { home: words } = texts;
const hourMs = 3_600_000;

/** How the project is: its last 24 hours, and what it holds. */
export function Health({ projectRef: ref }: { readonly projectRef: string }) {
  const [to] = useState(() => Math.ceil(Date.now() / hourMs) * hourMs);
  const { data: usage, error } = useQuery(usageQuery(ref, { from: to - 24 * hourMs, to, step: 'hour' }));
  const steps = usage?.data;
  const { data: held } = useQuery(holdingsQuery(ref));
  const sum = (value: (step: UsageStep) => number) =>
    steps && shortCount(steps.reduce((all, step) => all + value(step), 0));
  return (
    <Section title={words.health} lead={words.healthText}>
      {error && <Problem error={error} />}
      <dl className={css.figures}>
        <Figure name={words.calls} value={sum(callsOf)}>
          <Link to="/p/$ref/usage" params={{ ref }} search={{}}>
            {words.usage}
          </Link>
        </Figure>
        <Figure name={words.failures} value={sum(({ failures }) => failures)}>
          <Link to="/p/$ref/requests" params={{ ref }} search={{ status: 'failed' }}>
            {words.seeFailures}
          </Link>
        </Figure>
        <Figure name={words.p95} value={steps && slowest(steps)}>
          <Link to="/p/$ref/usage" params={{ ref }} search={{ measure: 'p95' }}>
            {words.byHour}
          </Link>
        </Figure>
        <Figure name={words.documents} value={held?.documents && shortCount(held.documents.used)} />
        <Figure name={words.users} value={held?.users && shortCount(held.users.used)} />
        <Figure name={words.storage} value={held?.storageBytes && bytes(held.storageBytes.used)} />
      </dl>
    </Section>
  );
}

/** The worst hour: durations of hours cannot be added. */
function slowest(steps: readonly UsageStep[]): string {
  const worst = Math.max(0, ...steps.map(({ p95Ms }) => p95Ms ?? 0));
  return worst === 0 ? words.none : duration(worst);
}

interface FigureProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly children?: ReactNode;
}

function Figure({ name, value, children }: FigureProps) {
  return (
    <div className={css.figure}>
      <dt>{name}</dt>
      <dd className={css.value}>{value ?? '…'}</dd>
      {children !== undefined && <dd>{children}</dd>}
    </div>
  );
}
