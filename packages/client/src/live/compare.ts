import { compareText, compareValues, splitEscaped } from '@plinth/protocol';

/** A document, as far as lists look at it. */
export interface Row {
  readonly id: string;
  readonly updatedAt?: string;
}

/** The order of a list, as the server has it. */
export function comparatorOf(sort: readonly string[]): (a: Row, b: Row) => number {
  const fields = sort.map((field) => {
    const isDescending = field.startsWith('-');
    return { path: splitEscaped(isDescending ? field.slice(1) : field, '.'), sign: isDescending ? -1 : 1 };
  });
  // Newest first, which is what ids are sorted by; ties go with the first field.
  const last = fields[0]?.sign ?? -1;
  return (a, b) => {
    for (const { path, sign } of fields) {
      const difference = compareValues(valueAt(a, path), valueAt(b, path));
      if (difference !== 0) return sign * difference;
    }
    return last * compareText(a.id, b.id);
  };
}

/** What an object has at a path; arrays are not entered. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name))
      return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
