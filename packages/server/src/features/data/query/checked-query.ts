import type { Path } from '@plinth/protocol';
import type { Sql } from '../../../platform/db/sql.ts';
import type { OwnedField } from '../records/index.ts';
import type { Scalar } from './scalars.ts';

/** Where a condition or a sort looks: a column of the row, or a place inside one of its JSON columns. */
export type Target = { readonly kind: 'column'; readonly column: Column } | JsonTarget;

export interface JsonTarget {
  readonly kind: 'json';
  readonly column: JsonColumn;
  readonly path: Path;
  readonly indexed?: IndexedPath;
}

/** What PostgreSQL knows of a path: conditions and sorts are then written as its indexes and statistics are. */
export interface IndexedPath {
  /** The path as SQL behind the column, letter for letter as in the index. */
  readonly steps: Sql;
  /** By `sort_key`: equality, ranges, order. */
  readonly hasKey: boolean;
  /** Documents can be found by their key; otherwise it is only known which keys are frequent. */
  readonly hasSortIndex: boolean;
  /** By `search_text`: parts of texts. */
  readonly hasText: boolean;
  /** Where its key is in the column of stored keys, if indexes have it from there. */
  readonly place?: number;
}

/** Documents have those that the service owns; app users have all. */
export type Column = OwnedField | 'email' | 'role' | 'email_verified' | 'phone';

export type JsonColumn = 'data' | 'claims';

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

/** What is asked of a value, with the caller's text already typed. The negated operators are `not` around these. */
export type Test =
  | { readonly kind: 'equals'; readonly candidates: readonly Scalar[] }
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly to: string | number }
  | { readonly kind: 'contains'; readonly folded: string; readonly candidates: readonly Scalar[] }
  | { readonly kind: 'startswith' | 'endswith'; readonly folded: string }
  | { readonly kind: 'isnull' | 'absent' };

export type CheckedFilter =
  | { readonly kind: 'and' | 'or'; readonly of: readonly CheckedFilter[] }
  | { readonly kind: 'not'; readonly of: CheckedFilter }
  | TestFilter
  | LinkedFilter;

interface TestFilter {
  readonly kind: 'test';
  readonly target: Target;
  readonly test: Test;
  /** The object that the field is in, where a link is expected instead: only a document that has one can pass. */
  readonly within?: JsonTarget;
}

/** Some record that the field links to passes; `where` already says which of them the caller may read. */
export interface LinkedFilter {
  readonly kind: 'linked';
  /** The field that holds the id or ids. */
  readonly target: JsonTarget;
  /** The records linked to. */
  readonly table: LinkedTable;
  readonly where: CheckedFilter;
}

/** Where linked records are read. */
export interface LinkedTable {
  /** What to read from; a record is in one of them. */
  readonly tables: readonly Sql[];
  /** Which of its rows: the number of the collection; undefined for app users. */
  readonly collection: number | undefined;
  /** A condition of the statement under which all records are there. */
  readonly isComplete: Sql;
}

export const everything: CheckedFilter = { kind: 'and', of: [] };
export const nothing: CheckedFilter = { kind: 'or', of: [] };

export interface CheckedSort {
  readonly target: Target;
  readonly descending: boolean;
}

export interface CheckedQuery {
  readonly filter: CheckedFilter;
  /** Never empty, and the last one is the id: the order is total. */
  readonly sort: readonly CheckedSort[];
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly select?: readonly Path[];
  readonly populate: readonly Path[];
}

/** Is it a moment, stored in whole milliseconds? */
export function isTime(target: Target): boolean {
  return target.kind === 'column' && (target.column === 'createdAt' || target.column === 'updatedAt');
}

/** Does the filter let everything through? */
export function isEverything(filter: CheckedFilter): boolean {
  return filter.kind === 'and' && filter.of.every(isEverything);
}

/** Does deciding it need a value at one of these places, in it or around it? */
export function asksFor(filter: CheckedFilter, paths: readonly Path[]): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some((part) => asksFor(part, paths));
    case 'not':
      return asksFor(filter.of, paths);
    case 'test':
      return isAbout(filter.target, paths) || (filter.within !== undefined && isAbout(filter.within, paths));
    case 'linked':
      return isAbout(filter.target, paths);
  }
}

/** Is it at one of these places, in it or around it? */
export function isAbout(target: Target, paths: readonly Path[]): boolean {
  if (target.kind === 'column') return false;
  return paths.some((path) => {
    const length = Math.min(path.length, target.path.length);
    return path.slice(0, length).every((key, at) => key === target.path[at]);
  });
}

/** The paths in the record itself that a filter asks for. */
export function pathsIn(filter: CheckedFilter): Path[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap(pathsIn);
    case 'not':
      return pathsIn(filter.of);
    case 'test':
    case 'linked':
      return filter.target.kind === 'json' && !isAside(filter) ? [filter.target.path] : [];
  }
}

/** Nobody has asked for it: a link is looked for under several names, and those before it must be absent. */
function isAside(filter: TestFilter | LinkedFilter): boolean {
  return filter.kind === 'test' && filter.test.kind === 'absent';
}

/** Does deciding it need other records than the one at hand? */
export function hasLinks(filter: CheckedFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(hasLinks);
    case 'not':
      return hasLinks(filter.of);
    case 'test':
      return false;
    case 'linked':
      return true;
  }
}
