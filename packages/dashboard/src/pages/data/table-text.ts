import { type Column, type Row, valueAt } from './columns.ts';
import { plainText } from './typed-value.ts';

/** For a spreadsheet: tabs between values, quotes around those with tabs or lines in them. */
const forTable = (value: unknown): string => {
  const text = plainText(value);
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** One cell as it is, or rows with the names of their columns. */
export function tableText(what: Row | readonly Row[], columns: readonly Column[], column: number): string {
  if (!Array.isArray(what)) return plainText(valueAt(what, columns[column]?.path ?? []));
  const lines = (what as readonly Row[]).map((row) =>
    columns.map(({ path }) => forTable(valueAt(row, path))).join('\t'),
  );
  return [columns.map(({ field }) => forTable(field)).join('\t'), ...lines].join('\n');
}
