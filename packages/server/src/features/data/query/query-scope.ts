import type { Path } from '@plinth/protocol';
import type { CheckedFilter, LinkedTable, Target } from './checked-query.ts';
import type { QueryCost } from './query-cost.ts';

/** What a query is about, for one caller: which fields there are, which of them it may touch, where links lead. */
export interface QueryScope {
  /** Counted for the whole query, through all links. */
  readonly cost: QueryCost;
  /** Where the fields that can be populated are: documents have them at the root, app users in `data`. */
  readonly linkRoot: Path;
  /** Where a path looks. `no such field` and `not readable` are told apart only for those who may read everything. */
  targetOf(path: Path): Target | 'no such field' | 'not readable';
  /** The collections that a field was seen to link to; empty for a field that is no link. */
  linksAt(path: Path): readonly number[];
  /** The scope of records behind a link, and which of them the caller may read; undefined: the collection is gone. */
  linked(collection: number): Promise<LinkedScope | undefined>;
}

interface LinkedScope {
  /** Nothing there can be read by this caller, whatever the data: asking through it is refused. */
  readonly isClosed: boolean;
  readonly scope: QueryScope;
  readonly readable: CheckedFilter;
  readonly table: LinkedTable;
}
