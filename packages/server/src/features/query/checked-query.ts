import type { Path } from '@plinth/protocol';
import type { Scalar } from './scalars.ts';

/** Where a condition or a sort looks. Links will be a third kind: a path that goes on in another document. */
export type Target =
  | { readonly kind: 'system'; readonly field: SystemField }
  | { readonly kind: 'data'; readonly path: Path };

export type SystemField = 'id' | 'createdAt' | 'updatedAt';

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

/** What is asked of a value, with the caller's text already typed. The negated operators are `not` around these. */
export type Test =
  | { readonly kind: 'equals'; readonly candidates: readonly Scalar[] }
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly to: string | number }
  | { readonly kind: 'contains'; readonly folded: string; readonly candidates: readonly Scalar[] }
  | { readonly kind: 'startswith' | 'endswith'; readonly folded: string }
  | { readonly kind: 'isnull' };

export type CheckedFilter =
  | { readonly kind: 'and' | 'or'; readonly of: readonly CheckedFilter[] }
  | { readonly kind: 'not'; readonly of: CheckedFilter }
  | { readonly kind: 'test'; readonly target: Target; readonly test: Test };

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
}

/** Does the query narrow the list at all? */
export function isUnfiltered(query: CheckedQuery): boolean {
  return query.filter.kind === 'and' && query.filter.of.length === 0;
}
