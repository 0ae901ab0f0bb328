import { compareText } from '@plinth/protocol';
import { valueAtPath } from '../records/index.ts';
import type { CheckedFilter, Column, Comparison, JsonColumn, Target, Test } from './checked-query.ts';
import { fold, type Scalar } from './scalars.ts';

/** A record as the matcher sees it: times in milliseconds, JSON columns as objects. */
export type MatchedRecord = { readonly id: string } & Partial<Readonly<Record<Column | JsonColumn, unknown>>>;

/** Does the record pass the filter? Means exactly what the compiled SQL means. */
export function matches(filter: CheckedFilter, record: MatchedRecord, last: LastFold = {}): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((part) => matches(part, record, last));
    case 'or':
      return filter.of.some((part) => matches(part, record, last));
    case 'not':
      return !matches(filter.of, record, last);
    case 'test':
      return passes(filter.test, valueAt(filter.target, record), last);
    case 'linked':
      throw new Error('A filter through a link cannot be decided in memory.');
  }
}

/** The value a target names; undefined where the record has none. */
export function valueAt(target: Target, record: MatchedRecord): unknown {
  const value = record[target.column];
  return target.kind === 'column' ? value : valueAtPath(value, target.path);
}

/** The text that was folded last: a long one is folded once for all conditions on it. */
interface LastFold {
  text?: string;
  folded?: string;
}

function foldOnce(text: string, last: LastFold): string {
  if (last.folded === undefined || text !== last.text) {
    last.text = text;
    last.folded = fold(text);
  }
  return last.folded;
}

function passes(test: Test, value: unknown, last: LastFold): boolean {
  switch (test.kind) {
    case 'equals':
      return Array.isArray(value)
        ? value.some((element) => isOneOf(test.candidates, element))
        : isOneOf(test.candidates, value);
    case 'compare':
      return compares(test.comparison, value, test.to);
    case 'contains':
      if (typeof value === 'string') return foldOnce(value, last).includes(test.folded);
      return (
        Array.isArray(value) && value.some((element) => isElement(element, test.folded, test.candidates))
      );
    case 'startswith':
      return typeof value === 'string' && foldOnce(value, last).startsWith(test.folded);
    case 'endswith':
      return typeof value === 'string' && foldOnce(value, last).endsWith(test.folded);
    case 'isnull':
      return value === undefined || value === null;
    case 'absent':
      return value === undefined;
  }
}

function isElement(element: unknown, folded: string, candidates: readonly Scalar[]): boolean {
  return isOneOf(candidates, element) || (typeof element === 'string' && fold(element) === folded);
}

function isOneOf(candidates: readonly unknown[], value: unknown): boolean {
  return candidates.includes(value);
}

/** Values of two types do not compare. */
function compares(comparison: Comparison, value: unknown, to: string | number): boolean {
  if (typeof value === 'string' && typeof to === 'string') return holds(comparison, compareText(value, to));
  if (typeof value === 'number' && typeof to === 'number') return holds(comparison, value - to);
  return false;
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
