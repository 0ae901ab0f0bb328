/** A document, whatever it holds. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Column {
  readonly field: string;
  readonly width: number;
  readonly isNumeric: boolean;
}

const mostLookedAt = 500;
const system = new Set(['id', 'createdAt', 'updatedAt']);
const widths = { id: 112, number: 104, other: 188 };

/** The fields that documents have, the most frequent first; the id leads, times come last. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const counts = new Map<string, { seen: number; numbers: number }>();
  for (const row of rows.slice(0, mostLookedAt))
    for (const [field, value] of Object.entries(row)) {
      const { seen, numbers } = counts.get(field) ?? { seen: 0, numbers: 0 };
      counts.set(field, { seen: seen + 1, numbers: numbers + (typeof value === 'number' ? 1 : 0) });
    }
  const own = [...counts].filter(([field]) => !system.has(field)).toSorted(([, a], [, b]) => b.seen - a.seen);
  return [
    { field: 'id', width: widths.id, isNumeric: false },
    ...own.map(([field, { seen, numbers }]) => {
      const isNumeric = numbers * 2 > seen;
      return { field, isNumeric, width: isNumeric ? widths.number : widths.other };
    }),
    { field: 'createdAt', width: widths.other, isNumeric: false },
    { field: 'updatedAt', width: widths.other, isNumeric: false },
  ];
}

type Kind = 'missing' | 'null' | 'string' | 'number' | 'boolean' | 'time' | 'link' | 'array' | 'object';

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Never more of a value than can be seen. */
const longest = 200;
const mostElements = 8;

/** What a value is, and how it reads in a cell. */
export function cellOf(value: unknown): { kind: Kind; text: string } {
  if (value === undefined) return { kind: 'missing', text: '' };
  if (value === null) return { kind: 'null', text: 'null' };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  if (typeof value === 'string') {
    if (idForm.test(value)) return { kind: 'link', text: `…${value.slice(-8)}` };
    if (timeForm.test(value)) return { kind: 'time', text: value.slice(0, 19).replace('T', ' ') };
    return { kind: 'string', text: value.slice(0, longest) };
  }
  if (Array.isArray(value))
    return { kind: 'array', text: JSON.stringify(value.slice(0, mostElements)).slice(0, longest) };
  return { kind: 'object', text: JSON.stringify(value).slice(0, longest) };
}
