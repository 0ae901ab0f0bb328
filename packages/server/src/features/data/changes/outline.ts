import type { Path } from '@plinth/protocol';
import { JsonCursor } from '../../../platform/json-text.ts';

/** Longer documents are kept in outline. */
const wholeLength = 16_384;
/** So much of them is kept, the shortest values first: those are what filters and rules ask for. */
const outlineLength = 8192;
const mostValues = 10_000;
const mostOmitted = 100;

/** A document without its long values, as JSON text. */
export interface Outline {
  readonly data: string;
  /** Where values were left out; `[]` stands for the whole document. Empty: nothing was. */
  readonly omitted: readonly Path[];
}

const nothing: Outline = { data: '{}', omitted: [[]] };

/** A field of a large document, as it is written there. */
interface Part {
  readonly path: Path;
  readonly name: string;
  /** The fields of an object, or the text of any other value. */
  readonly value: readonly Part[] | string;
  /** With its name and those around it. */
  readonly length: number;
}

/** Where a large document is kept many times, its long values would be too: they are left out. */
export function outlineOf(data: string): Outline {
  if (data.length <= wholeLength) return { data, omitted: [] };
  const all: Part[] = [];
  const fields = fieldsAt(new JsonCursor(data), [], all);
  if (!fields) return nothing;
  let left = outlineLength;
  let leftForPaths = outlineLength;
  const omitted = new Set<Part>();
  for (const part of all.toSorted((a, b) => a.length - b.length)) {
    left -= part.length;
    if (left >= 0) continue;
    omitted.add(part);
    leftForPaths -= JSON.stringify(part.path).length;
    if (omitted.size > mostOmitted || leftForPaths < 0) return nothing;
  }
  return { data: objectText(fields, omitted), omitted: Array.from(omitted, ({ path }) => path) };
}

/** The fields of the object that the cursor is at. All that are no objects with fields go into `all`; undefined: too many. */
function fieldsAt(cursor: JsonCursor, path: Path, all: Part[]): Part[] | undefined {
  const fields: Part[] = [];
  if (!cursor.enter()) return fields;
  do {
    if (all.length > mostValues) return undefined;
    const inner = [...path, cursor.readName()];
    const part = partAt(cursor, inner, all);
    if (!part) return undefined;
    fields.push(part);
  } while (cursor.next());
  return fields;
}

function partAt(cursor: JsonCursor, path: Path, all: Part[]): Part | undefined {
  const name = JSON.stringify(path.at(-1));
  const start = cursor.at;
  if (cursor.isAtObject) {
    const fields = fieldsAt(cursor, path, all);
    if (!fields) return undefined;
    if (fields.length > 0) return { path, name, value: fields, length: 0 };
  } else cursor.skipValue();
  const value = cursor.text.slice(start, cursor.at);
  const part = { path, name, value, length: value.length + JSON.stringify(path).length };
  all.push(part);
  return part;
}

function objectText(fields: readonly Part[], omitted: ReadonlySet<Part>): string {
  const kept = fields.filter((part) => !omitted.has(part));
  const texts = kept.map(
    ({ name, value }) => `${name}:${typeof value === 'string' ? value : objectText(value, omitted)}`,
  );
  return `{${texts.join(',')}}`;
}
