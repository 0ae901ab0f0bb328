import type { ByteRange } from './blob-store.ts';

const segment = /^(?!\.+$)[A-Za-z0-9._-]+$/;

/** Separates a key from what a store adds to it for files of its own. No key contains it, so none can name those. */
export const ownMark = '~';

/** Keys are made by the service. Should one ever hold what a caller wrote, it must not lead elsewhere. */
export function checkKey(key: string): string {
  if (key.split('/').every((part) => segment.test(part))) return key;
  throw new Error(`This is not the key of a blob: ${JSON.stringify(key)}`);
}

/** A range that ends before it starts means the whole to some stores and nothing to others. */
export function checkRange({ start, end }: ByteRange): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start) return;
  throw new Error(`This is not a range of bytes: ${start}-${end}`);
}
