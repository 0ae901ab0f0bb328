import type { Path } from '@plinth/protocol';
import type { CheckedFilter, Column, Comparison, JsonColumn, Target, Test } from './checked-query.ts';
import { compareText, fold, type Scalar } from './scalars.ts';

/** A record as the matcher sees it: times in milliseconds, JSON columns as objects. */
export type MatchedRecord = { readonly id: string } & Partial<Readonly<Record<Column | JsonColumn, unknown>>>;

/** Does the record pass the filter? Means exactly what the compiled SQL means. */
export function matches(filter: CheckedFilter, record: MatchedRecord): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((part) => matches(part, record));
    case 'or':
      return filter.of.some((part) => matches(part, record));
    case 'not':
      return !matches(filter.of, record);
    case 'test':
      return passes(filter.test, valueAt(filter.target, record));
    case 'linked':
      throw new Error('A filter through a link cannot be decided in memory.');
  }
}

/** The value a target names; undefined where the record has none. */
export function valueAt(target: Target, record: MatchedRecord): unknown {
  const value = record[target.column];
  return target.kind === 'column' ? value : valueAtPath(value, target.path);
}

function valueAtPath(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function passes(test: Test, value: unknown): boolean {
  switch (test.kind) {
    case 'equals':
      return Array.isArray(value)
        ? value.some((element) => test.candidates.includes(element as Scalar))
        : test.candidates.includes(value as Scalar);
    case 'compare':
      return (
        typeof value === typeof test.to &&
        holds(test.comparison, compareScalars(value as string | number, test.to))
      );
    case 'contains':
      if (typeof value === 'string') return fold(value).includes(test.folded);
      return (
        Array.isArray(value) && value.some((element) => isElement(element, test.folded, test.candidates))
      );
    case 'startswith':
      return typeof value === 'string' && fold(value).startsWith(test.folded);
    case 'endswith':
      return typeof value === 'string' && fold(value).endsWith(test.folded);
    case 'isnull':
      return value === undefined || value === null;
    case 'absent':
      return value === undefined;
  }
}

function isElement(element: unknown, folded: string, candidates: readonly Scalar[]): boolean {
  return candidates.includes(element as Scalar) || (typeof element === 'string' && fold(element) === folded);
}

function compareScalars(a: string | number, b: string | number): number {
  return typeof a === 'string' ? compareText(a, b as string) : a - (b as number);
}

function holds(comparison: Comparison, difference: number): boolean {
  switch (comparison) {
    case 'gt':
      return difference > 0;
    case 'gte':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'lte':
      return difference <= 0;
  }
}
