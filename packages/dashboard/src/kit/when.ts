const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago, or how soon: “3 hours ago”, “in 2 months”. */
export function when(time: string, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const [unit, length] = steps.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.round(seconds / length), unit);
}
