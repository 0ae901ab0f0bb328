import { bytesOf, type Entry, type News } from './change-stream.ts';
import { type FeedEpoch, lsnOf } from './position.ts';

/** As Redis answers. */
export type RawEntry = [id: string, flat: string[]];

/** What one call of Redis adds at most: it does nothing else meanwhile. */
const most = { entries: 100, bytes: 1_048_576 };

export function keyOf(epoch: FeedEpoch): string {
  return `plinth:changes:${epoch}`;
}

export function historyOf(epoch: FeedEpoch, project: string): string {
  return `${keyOf(epoch)}:of:${project}`;
}

export function floorsOf(epoch: FeedEpoch): string {
  return `${keyOf(epoch)}:floors`;
}

export function skippedOf(epoch: FeedEpoch): string {
  return `${keyOf(epoch)}:skipped`;
}

export function toNews([position, flat]: RawEntry): News {
  const { previous = position, xid = '0', project = '' } = named(flat);
  return { position, previous, xid: Number(xid), project };
}

export function toEntry([position, flat]: RawEntry, project: string): Entry {
  const { previous = position, xid = '0', bytes: _, ...fields } = named(flat);
  return { position, previous, xid: Number(xid), project, fields };
}

function named(flat: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) fields[flat[at] ?? ''] = flat[at + 1] ?? '';
  return fields;
}

/** What the script that adds changes is given, in portions. */
export function* portionsOf(entries: readonly Entry[]): Generator<string[]> {
  let portion: string[] = [];
  let [count, bytes] = [0, 0];
  for (const entry of entries) {
    const size = bytesOf(entry);
    if (count > 0 && (count >= most.entries || bytes + size > most.bytes)) {
      yield portion;
      [portion, count, bytes] = [[], 0, 0];
    }
    const { position, previous, xid, project, fields } = entry;
    const flat = Object.entries(fields).flat();
    const own = [project, String(size), position, String(lsnOf(position)), previous, String(xid)];
    portion.push(...own, String(flat.length), ...flat);
    count += 1;
    bytes += size;
  }
  if (count > 0) yield portion;
}
