const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** 1,234 or 12.3 M: never wider than its place. */
export const shortCount = (count: number): string =>
  new Intl.NumberFormat('en', {
    notation: count >= 100_000 ? 'compact' : 'standard',
    maximumFractionDigits: 1,
  }).format(count);

/** 512 B, 1.5 kB, 20 MB; a kB has 1,024 bytes. */
export function bytes(count: number): string {
  const unit = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10));
  const value = count / 1024 ** unit;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[unit]}`;
}

/** 3.2 ms, 48 ms, 1.4 s. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s`;
  return `${ms.toLocaleString('en', { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`;
}

const clockFormat = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });
const momentOptions = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
/** Days are those of UTC, as the service counts them. */
const dayOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;

/** With the year, unless it is this one. */
function dateFormats(options: Intl.DateTimeFormatOptions): (time: string | number) => string {
  const short = new Intl.DateTimeFormat('en', options);
  const long = new Intl.DateTimeFormat('en', { ...options, year: 'numeric' });
  return (time) => {
    const date = new Date(time);
    return (date.getFullYear() === new Date().getFullYear() ? short : long).format(date);
  };
}

/** The time of day, to the second. */
export const clock = (time: string | number): string => clockFormat.format(new Date(time));
/** The day and the minute. */
export const moment = dateFormats(momentOptions);
export const day = dateFormats(dayOptions);
