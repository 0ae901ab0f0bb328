import { invalidQuery } from '../errors.ts';

/** A time that the query string of a call names. */
export function readMoment(given: URLSearchParams, name: string): Date | undefined {
  const text = given.get(name);
  if (text === null) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw invalidQuery(name, 'It must be a timestamp, such as 2026-11-17T09:00:00Z.');
  return moment;
}
