import type { EventKind, Happened, RequestContext } from '../../calls/index.ts';
import { typeOf } from './subscriber.ts';

/** An event, as JSON. Larger ones contain ids instead of records. @limit - bytes */
const longestPayload = 256 * 1024;
/** All events of one write, counted once per subscriber. Beyond it, events contain ids instead of records. @limit - bytes */
const longestWrite = 16 * 1_048_576;

interface Told {
  readonly kind: EventKind;
  readonly id: string;
  readonly at: string;
  readonly userId: string | undefined;
}

/** Whether the records of a write are too much to be told to so many. */
export function isTooMuch(happened: readonly Happened[], listeners: number): boolean {
  const bytes = happened.reduce((sum, one) => sum + one.record.length + (one.before?.length ?? 0), 0);
  return bytes * listeners > longestWrite;
}

/** What subscribers are told of one event. The records are JSON already, and are not parsed for it. */
export function payloadOf(
  { kind, id, at, userId }: Told,
  { record, before, version, beside, id: subject }: Happened,
  isCut: boolean,
): string {
  const known = JSON.stringify({
    id,
    type: typeOf(kind),
    ...kind,
    at,
    ...(version !== undefined && { version }),
    ...(userId !== undefined && { by: { user: userId } }),
    ...beside,
  });
  const name = kind.collection === undefined ? 'user' : 'document';
  const full = `${known.slice(0, -1)},"${name}":${record}${before === undefined ? '' : `,"before":${before}`}}`;
  if (!isCut && Buffer.byteLength(full) <= longestPayload) return full;
  return `${known.slice(0, -1)},"${name}":{"id":"${subject}"},"isTruncated":true}`;
}

/** The app user who makes a call, if one does. */
export const callerOf = ({ principal }: RequestContext): string | undefined => principal.user?.id;
