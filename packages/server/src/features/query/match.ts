import type { Path } from '@plinth/protocol';
import type { CheckedFilter, Comparison, Target, Test } from './checked-query.ts';
import { compareText, fold, type Scalar } from './scalars.ts';

/** A document as the matcher sees it: times in milliseconds, the caller's fields under `data`. */
export interface MatchedDocument {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Does the document pass the filter? Means exactly what the compiled SQL means. */
export function matches(filter: CheckedFilter, document: MatchedDocument): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((part) => matches(part, document));
    case 'or':
      return filter.of.some((part) => matches(part, document));
    case 'not':
      return !matches(filter.of, document);
    case 'test':
      return passes(filter.test, valueAt(filter.target, document));
  }
}

/** The value a target names; undefined where the document has none. */
export function valueAt(target: Target, document: MatchedDocument): unknown {
  return target.kind === 'system' ? document[target.field] : valueAtPath(document.data, target.path);
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
