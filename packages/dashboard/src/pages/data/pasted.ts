import type { Column, Row } from './columns.ts';
import { parseTable, separatorOf } from './parse-import.ts';

interface Text {
  readonly text: string;
}

interface Cells extends Text {
  readonly onto: { readonly rows: readonly Row[]; readonly columns: readonly Column[] };
}

/** Documents as a text, or cells for the cells of the grid. */
export type Pasted = Text | Cells;

export const isCells = (pasted: Pasted): pasted is Cells => 'onto' in pasted;

/** What somebody pasted, if it can be documents at all. */
export function pastedOf(text: string, onto: Cells['onto'], fields: readonly string[]): Pasted | undefined {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return { text };
  const [first = ''] = trimmed.split(/\r?\n/, 1);
  const separator = separatorOf(first);
  const isTable = first.includes(separator);
  const names = parseTable(first, separator)[0]?.map((name) => name.trim()) ?? [];
  const hasNames = trimmed.includes('\n') && names.some((name) => fields.includes(name));
  if (isTable && separator === '\t' && !hasNames && onto.columns.length > 0) return { text, onto };
  // One word is no table.
  return trimmed.includes('\n') && (isTable || hasNames) ? { text } : undefined;
}
