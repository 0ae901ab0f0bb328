import type { Path } from '@plinth/protocol';
import { LRUCache } from 'lru-cache';
import { timeOfId } from '../../platform/ids.ts';

/** A document as it is stored. */
export interface StoredDocument {
  readonly id: string;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The caller's fields as JSON text. */
  readonly data: string;
}

/** A document about to be written. */
export interface WrittenDocument extends StoredDocument {
  /** Files came with it, and go with it. */
  readonly holdsFiles: boolean;
}

/** The fields a caller can set. */
export type Fields = Record<string, unknown>;

/** The document as callers see it, without parsing what is stored. */
export function documentJson({ id, updatedAt, data }: StoredDocument): string {
  const rest = data === '{}' ? '}' : `,${data.slice(1)}`;
  return `{"id":"${id}","createdAt":"${isoTime(timeOfId(id))}","updatedAt":"${isoTime(updatedAt)}"${rest}`;
}

/** Only some fields of a record, and its id. */
export function selectPaths(record: Fields, select: readonly Path[]): Fields {
  const chosen: Fields = { id: record.id };
  for (const path of select) copyPath(record, chosen, path);
  return chosen;
}

function copyPath(from: Fields, to: Fields, [key = '', ...rest]: Path): void {
  if (!Object.hasOwn(from, key)) return;
  const value = from[key];
  if (rest.length === 0) {
    to[key] = value;
    return;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const inner = Object.hasOwn(to, key) ? to[key] : {};
  // A part of what is already there as a whole adds nothing.
  if (inner === value) return;
  to[key] = inner;
  copyPath(value as Fields, inner as Fields, rest);
}

/** The ETag of a version. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/** Documents of one list are often of the same seconds. */
const seconds = new LRUCache<number, string>({ max: 10_000 });

function isoTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  let text = seconds.get(second);
  if (text === undefined) {
    text = new Date(ms).toISOString().slice(0, -4);
    seconds.set(second, text);
  }
  return `${text}${String(ms - second * 1000).padStart(3, '0')}Z`;
}
