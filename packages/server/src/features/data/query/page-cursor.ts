import { crc32 } from 'node:zlib';
import { invalidQuery } from '../../../calls/index.ts';
import { isId } from '../../../platform/ids.ts';
import { isObject } from '../records/index.ts';
import { type CheckedSort, isTime } from './checked-query.ts';

/** Where a page ended: the sort values of its last document, and its id. */
export interface PageCursor {
  readonly id: string;
  /** One for each sort field before the id: a scalar, null, or `{}` for an array or object. */
  readonly values: readonly unknown[];
}

/** A cursor goes into a URL, so of a long string it keeps the beginning; the rest is read from the document again. */
const maxStringLength = 100;

export class CutString {
  readonly beginning: string;

  constructor(beginning: string) {
    this.beginning = beginning;
  }
}

export function encodeCursor(sort: readonly CheckedSort[], position: PageCursor): string {
  const values = position.values.map((value) =>
    typeof value === 'string' && value.length > maxStringLength
      ? {
          cut: value
            .slice(0, maxStringLength)
            .toWellFormed()
            .replace(/\ufffd$/, ''),
        }
      : value,
  );
  return Buffer.from(JSON.stringify([orderMark(sort), position.id, ...values])).toString('base64url');
}

/** Reads a cursor back; a cursor of another order, or one that was tampered with, is refused. */
export function decodeCursor(sort: readonly CheckedSort[], cursor: string): PageCursor {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw notACursor();
  }
  if (!Array.isArray(content)) throw notACursor();
  const [mark, id, ...values]: unknown[] = content;
  if (typeof id !== 'string' || !isId(id)) throw notACursor();
  if (mark !== orderMark(sort) || values.length !== sort.length - 1) {
    throw invalidQuery(
      'cursor',
      'The cursor belongs to a list with a different order. Send the same orderBy and order as before.',
    );
  }
  return { id, values: sort.slice(0, -1).map((field, at) => decodeValue(values[at], field)) };
}

function decodeValue(value: unknown, { target }: CheckedSort): unknown {
  if (isTime(target)) {
    if (!Number.isSafeInteger(value)) throw notACursor();
    return value;
  }
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (typeof value === 'string') return checkedText(value);
  if (!isObject(value)) throw notACursor();
  const { cut, ...others } = value;
  if (Object.keys(others).length > 0) throw notACursor();
  if (cut === undefined) return {};
  if (typeof cut !== 'string') throw notACursor();
  return new CutString(checkedText(cut));
}

function checkedText(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) throw notACursor();
  return text;
}

function notACursor() {
  return invalidQuery(
    'cursor',
    'This is not a valid cursor. Send the nextCursor of the previous page, unchanged.',
  );
}

/** Tells orders apart, so that a mistake is noticed. It protects nothing: whoever makes a cursor up may do so. */
function orderMark(sort: readonly CheckedSort[]): number {
  // Not by what indexes there are: a list that gets one goes on from its cursors.
  const order = sort.map(({ target, descending }) => [
    target.column,
    target.kind === 'json' ? target.path : [],
    descending,
  ]);
  return crc32(JSON.stringify(order));
}
