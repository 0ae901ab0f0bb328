import type { HeldDay } from '../../api/usage.ts';
import { texts } from '../../texts.ts';
import css from './usage-page.module.css';

const { usage: words } = texts;
const dayMs = 24 * 3_600_000;
const shownDays = 90;

/** How much there was at the end of a day, so many days ago. */
export interface PastValue {
  readonly daysAgo: number;
  readonly value: number;
}

/** What is known of the past of a figure; of some nothing is. */
export function pastOf(days: readonly HeldDay[], name: string): PastValue[] {
  const today = Math.floor(Date.now() / dayMs);
  return days.flatMap(({ day, ...held }) => {
    const value = name in held ? held[name as keyof typeof held] : undefined;
    const daysAgo = today - Date.parse(day) / dayMs;
    return value === undefined || daysAgo < 1 ? [] : [{ daysAgo: Math.min(daysAgo, shownDays), value }];
  });
}

interface TrendProps {
  readonly past: readonly PastValue[];
  readonly used: number;
  readonly format: (value: number) => string;
}

/** How a figure came to be what it is: a line of steps, and the change in words. */
export function Trend({ past, used, format }: TrendProps) {
  const [first] = past;
  if (!first) return null;
  const change = used - first.value;
  const sign = change < 0 ? '−' : '+';
  const top = Math.max(used, ...past.map(({ value }) => value), 1);
  const places = [...past, { daysAgo: 0, value: used }].map(({ daysAgo, value }, at, all) => {
    const y = 20 - (value / top) * 18;
    // It stays as it was until the next day on which something changed.
    const x = first.daysAgo - daysAgo;
    const before = all[at - 1];
    return before ? `H${x} V${y}` : `M${x} ${y}`;
  });
  return (
    <>
      <span className={css.limit}>{words.trend(`${sign}${format(Math.abs(change))}`, first.daysAgo)}</span>
      <svg
        className={css.trend}
        viewBox={`0 0 ${first.daysAgo} 21`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={places.join(' ')} />
      </svg>
    </>
  );
}
