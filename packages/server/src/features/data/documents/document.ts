import { timeOfId } from '../../../platform/ids.ts';
import { isoTime } from './iso-time.ts';

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
  /** What it counts of the project’s quota. */
  readonly bytes: number;
}

/** A document counts in steps, so that most changes leave the count as it is. */
export const step = 256;

/** What a document with these fields counts of the project’s quota. */
export function countedBytes(data: string): number {
  return Math.ceil(Buffer.byteLength(data) / step) * step;
}

/** The document as callers see it, without parsing what is stored. */
export function documentJson({ id, updatedAt, data }: StoredDocument): string {
  const rest = data === '{}' ? '}' : `,${data.slice(1)}`;
  return `{"id":"${id}","createdAt":"${isoTime(timeOfId(id))}","updatedAt":"${isoTime(updatedAt)}"${rest}`;
}

/** The ETag of a version. */
export function versionTag(version: number): string {
  return `"${version}"`;
}
