import { texts } from '../texts.ts';

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const format = new Intl.RelativeTimeFormat('en');

/**
 * How long ago, or how soon: “3 hours ago”, “in 1 month”. Never “next month” or “tomorrow”: what is 40 days away may
 * be in the month after that.
 */
export function when(time: string, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const [unit, length] = steps.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  if (unit !== 'second') return format.format(Math.round(seconds / length), unit);
  return seconds <= 0 ? texts.justNow : texts.now;
}
