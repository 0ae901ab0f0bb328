import { invalidBody } from '../../../platform/http/errors.ts';

const unitsS: Readonly<Record<string, number>> = { h: 3600, d: 24 * 3600 };
const mostS = 30 * 24 * 3600;

/** How many seconds `14d` or `12h` are; 30 days at most. */
export function readDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  const seconds = Number(count) * (unitsS[unit] ?? 0);
  if (seconds > 0 && seconds <= mostS) return seconds;
  throw invalidBody('temporary must be a number of hours or days, at most 30 days: 12h, 14d.');
}
