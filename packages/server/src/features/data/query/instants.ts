const isoForm =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A moment, as whole milliseconds and whether anything finer was cut off. */
export interface Instant {
  readonly ms: number;
  readonly isExact: boolean;
}

/** Reads ISO 8601: a date alone is midnight UTC, a time without a zone is UTC. Undefined for anything else. */
export function readInstant(text: string): Instant | undefined {
  const match = isoForm.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const offset = /^z$/i.test(zone) ? 'Z' : normalZone(zone);
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  if (Number.isNaN(ms) || !isRealDay(Number(year), Number(month), Number(day))) return undefined;
  return { ms, isExact: !/[1-9]/.test(fraction.slice(3)) };
}

/** `+02` and `+0200` as `+02:00`. */
function normalZone(zone: string): string {
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Date.parse accepts 30 February and moves it to March. */
function isRealDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
