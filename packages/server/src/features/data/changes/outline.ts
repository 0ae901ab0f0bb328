import type { Path } from '@plinth/protocol';
import { parseJsonText } from '../../../platform/json.ts';
import { isObject } from '../records/index.ts';

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

/** Where a large document is kept many times, its long values would be too: they are left out. */
export function outlineOf(data: string): Outline {
  if (data.length <= wholeLength) return { data, omitted: [] };
  const document = parseJsonText(data);
  const values = valuesIn(document);
  if (!values) return nothing;
  let left = outlineLength;
  const omitted: Path[] = [];
  for (const { path, length } of values.toSorted((a, b) => a.length - b.length)) {
    left -= length;
    if (left < 0) omitted.push(path);
    if (omitted.length > mostOmitted) return nothing;
  }
  const names = new Set(omitted.map((path) => JSON.stringify(path)));
  return { data: JSON.stringify(without(document, [], names)), omitted };
}

/** All values that are not objects, with their places, and how long they are with their names; undefined: too many. */
function valuesIn(document: unknown): { path: Path; length: number }[] | undefined {
  const found: { path: Path; length: number }[] = [];
  const look = (value: unknown, path: Path): void => {
    if (found.length > mostValues) return;
    if (isObject(value)) for (const key of Object.keys(value)) look(value[key], [...path, key]);
    else found.push({ path, length: JSON.stringify(value).length + JSON.stringify(path).length });
  };
  look(document, []);
  return found.length > mostValues ? undefined : found;
}

function without(value: unknown, path: Path, names: ReadonlySet<string>): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .map(([key, inner]): [string, unknown, Path] => [key, inner, [...path, key]])
    .filter(([, , place]) => !names.has(JSON.stringify(place)));
  return Object.fromEntries(kept.map(([key, inner, place]) => [key, without(inner, place, names)]));
}
