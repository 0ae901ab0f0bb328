import type { Sql } from '../../platform/db/sql.ts';
import type { LinkedFilter } from './checked-query.ts';
import type { SortIndex } from './split-by-index.ts';

/** A page to read, in SQL on the row `own`. */
export interface PageSql {
  readonly where: Sql;
  readonly orderBy: Sql;
  /** Instead of `where`: conditions of parts that no two share a row of, and each of which some index has in order. */
  readonly parts?: readonly Sql[];
  /** Goes behind the columns of the row: `sort_values`, JSON text, where the order has more than the id. */
  readonly sortColumns: Sql;
  readonly limit: number;
  readonly offset: number;
  /** What to count along with the page: one question less, where the source can do it. */
  readonly counting?: Counting;
}

/** What passes one of several conditions that exclude one another, counted no further than `upTo`. */
export interface Counting {
  readonly matching: readonly Sql[];
  readonly upTo: number | null;
}

/** All that matches, if it is little: then it is put in order, and a page taken. */
export interface GatherSql extends Omit<PageSql, 'where' | 'parts' | 'counting'> {
  /** Conditions of parts that no two share a row of. */
  readonly matching: readonly Sql[];
  /** Which of it the page may have. */
  readonly after: Sql;
  /** Counts no further than this, and reads no page if there is so much. */
  readonly upTo: number;
}

export interface ListRow<Item> {
  readonly item: Item;
  readonly id: string;
  readonly sortValues: unknown[];
  /** What was counted along with the page. */
  readonly counted?: number;
}

/** Where a list comes from. */
export interface ListSource<Item> {
  page(page: PageSql): Promise<ListRow<Item>[]>;
  /** How many match, and the page if that is less than `upTo`. */
  readonly gather?: (gather: GatherSql) => Promise<{ rows: ListRow<Item>[]; count: number }>;
  count(counting: Counting): Promise<number>;
  /** How many there are, without counting. */
  countAll(): Promise<number>;
  /** The ids of what a link means, no more than `upTo`; only for a source that sees one state in all it does. */
  readonly findLinked?: (filter: LinkedFilter, upTo: number) => Promise<string[]>;
  /** Indexes by which the list can be in order. */
  readonly indexes?: readonly SortIndex[];
}
