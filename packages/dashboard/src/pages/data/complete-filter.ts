import { parseQuery, QueryError } from '@plinth/protocol';
import { texts } from '../../texts.ts';
import { type Column, pathOf, type Row, valueAt } from './columns.ts';

export interface Completion {
  /** What the whole text becomes. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
}

const operators: Readonly<Record<string, string>> = {
  '': 'equals',
  ne: 'is not',
  gt: 'greater',
  gte: 'at least',
  lt: 'less',
  lte: 'at most',
  contains: 'has the text',
  startswith: 'begins with',
  endswith: 'ends with',
  in: 'one of a,b,c',
  notin: 'none of a,b,c',
  isnull: 'true or false',
};

const mostValues = 8;
const mostFields = 10;
const longestValue = 60;

/** What could come next in a filter: a field, an operator, a value that was seen. */
export function completeFilter(
  text: string,
  caret: number,
  { columns, rows }: { readonly columns: readonly Column[]; readonly rows: readonly Row[] },
): Completion[] {
  const start = text.lastIndexOf('&', caret - 1) + 1;
  const next = text.indexOf('&', caret);
  const part = text.slice(start, caret);
  const prefix = /^\[or(:[\w-]*)?\]/.exec(part)?.[0] ?? '';
  const put = (piece: string, hint: string): Completion => ({
    text: text.slice(0, start) + prefix + piece + (next === -1 ? '' : text.slice(next)),
    label: piece,
    hint,
  });
  const body = part.slice(prefix.length);
  const equals = body.indexOf('=');
  if (equals !== -1)
    return valuesFor(body.slice(0, equals), body.slice(equals + 1), rows).map((piece) =>
      put(piece, texts.data.seen),
    );
  const mark = body.lastIndexOf('__');
  if (mark > 0)
    return Object.entries(operators)
      .filter(([operator]) => operator !== '' && operator.startsWith(body.slice(mark + 2)))
      .map(([operator, hint]) => put(`${body.slice(0, mark)}__${operator}=`, hint));
  if (columns.some(({ field }) => field === body))
    return Object.entries(operators).map(([operator, hint]) =>
      put(`${body}${operator && `__${operator}`}=`, hint),
    );
  return columns
    .filter(({ field }) => field.toLowerCase().startsWith(body.toLowerCase()))
    .slice(0, mostFields)
    .map(({ field, isNumeric }) => put(field, isNumeric ? texts.data.number : ''));
}

function valuesFor(name: string, typed: string, rows: readonly Row[]): string[] {
  const field = name.replace(/__[a-z]+$/, '');
  const values = rows.flatMap((row) => {
    const value = valueAt(row, pathOf(field));
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [String(value)]
      : [];
  });
  return [...new Set(values)]
    .filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()) && value.length < longestValue)
    .slice(0, mostValues)
    .map((value) => `${name}=${encodeURIComponent(value).replaceAll('%20', ' ')}`);
}

/** What is wrong with a filter, in the words of the language itself. */
export function problemOf(text: string): string | undefined {
  try {
    parseQuery(text);
    return undefined;
  } catch (error) {
    return error instanceof QueryError ? error.message : String(error);
  }
}
