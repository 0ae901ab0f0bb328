import { changeOf } from './change-of.ts';
import { type Column, fieldOf, isSystem, type Row, valueAt } from './columns.ts';
import { collectionNumberOf } from './links.ts';
import { parseTable } from './parse-import.ts';
import { typedValue } from './typed-value.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Changes of a document, with what takes them back. */
interface Update {
  readonly id: string;
  readonly changes: Record<string, unknown>;
  readonly back: Record<string, unknown>;
  /** When it was changed before. */
  readonly from: string;
}

export interface Plan {
  readonly adds: readonly Fields[];
  readonly updates: readonly Update[];
}

export interface FieldPreview {
  readonly field: string;
  readonly count: number;
  readonly types: readonly string[];
  readonly example: string;
  /** The collections whose ids it holds. */
  readonly links: readonly string[];
}

const mostFields = 50;
const longestExample = 60;
const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** The fields of documents, as they will be. */
export function previewOf(documents: readonly Fields[], nameOf: ReadonlyMap<number, string>): FieldPreview[] {
  const seen = new Map<
    string,
    { values: number; types: Set<string>; example: unknown; links: Set<string> }
  >();
  for (const document of documents)
    for (const [field, value] of Object.entries(document)) {
      if (isSystem(field)) continue;
      const about = seen.get(field) ?? { values: 0, types: new Set(), example: value, links: new Set() };
      seen.set(field, about);
      about.values++;
      about.types.add(typeOf(value));
      for (const one of Array.isArray(value) ? value : [value]) {
        const number = collectionNumberOf(one);
        const name = number === undefined ? undefined : nameOf.get(number);
        if (name !== undefined) about.links.add(name);
      }
    }
  return [...seen].slice(0, mostFields).map(([field, { values, types, example, links }]) => ({
    field: fieldOf([field]),
    count: values,
    types: [...types],
    example: (JSON.stringify(example) ?? '').slice(0, longestExample),
    links: [...links],
  }));
}

/** Those whose id is known are changed, the others added. */
export function planFor(documents: readonly Fields[], known: ReadonlyMap<string, Row>): Plan {
  const adds: Fields[] = [];
  const updates: Update[] = [];
  for (const document of documents) {
    const there = typeof document.id === 'string' ? known.get(document.id) : undefined;
    if (!there) {
      adds.push(document);
      continue;
    }
    const cells = Object.entries(document).flatMap(([name, value]) =>
      isSystem(name) ? [] : [{ path: [name], value }],
    );
    updates.push(updateOf(there, cells));
  }
  return { adds, updates };
}

interface CellChange {
  readonly path: readonly string[];
  readonly value: unknown;
}

function updateOf(row: Row, cells: readonly CellChange[]): Update {
  const differing = cells.filter(
    ({ path, value }) => JSON.stringify(valueAt(row, path)) !== JSON.stringify(value),
  );
  const changes = differing.map(({ path, value }) => changeOf(path, value));
  const back = differing.map(({ path }) => changeOf(path, valueAt(row, path)));
  return { id: row.id, changes: joined(changes), back: joined(back), from: String(row.updatedAt) };
}

/** Several changes of one document as one. */
function joined(changes: readonly Record<string, unknown>[]): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  const set: Record<string, unknown> = {};
  const unset: unknown[] = [];
  for (const { $set, $unset, ...plain } of changes) {
    Object.assign(all, plain);
    Object.assign(set, $set);
    if (Array.isArray($unset)) unset.push(...$unset);
  }
  return {
    ...all,
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(unset.length > 0 && { $unset: unset }),
  };
}

interface Spot {
  /** The documents from the cell downwards that is pasted onto. */
  readonly rows: readonly Row[];
  /** The columns from that cell to the right. */
  readonly columns: readonly Column[];
}

/** Cells of a spreadsheet without names, put onto the cells of the grid; what reaches below its end is new. */
export function planForCells(text: string, { rows, columns }: Spot): Plan {
  const adds: Fields[] = [];
  const updates: Update[] = [];
  for (const [n, line] of parseTable(text, '\t').entries()) {
    const cells = line.flatMap((cell, at) => {
      const column = columns[at];
      return column && !isSystem(column.field) && cell !== ''
        ? [{ path: column.path, value: typedValue(cell) }]
        : [];
    });
    const row = rows[n];
    if (row) updates.push(updateOf(row, cells));
    else adds.push(Object.fromEntries(cells.map(({ path, value }) => nested(path, value))));
  }
  return { adds, updates: updates.filter(({ changes }) => Object.keys(changes).length > 0) };
}

function nested([name = '', ...rest]: readonly string[], value: unknown): [string, unknown] {
  return [name, rest.length === 0 ? value : Object.fromEntries([nested(rest, value)])];
}
