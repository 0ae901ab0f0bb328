import type { Sql } from '../../../platform/db/sql.ts';
import type { LinkedFilter } from './checked-query.ts';
import type { SortIndex } from './split-by-index.ts';

/** A page to read, in SQL on the row `own`. */
export interface PageSql {
  readonly where: Sql;
  readonly orderBy: Sql;
  /** Instead of `where`: conditions that exclude one another, each of which some index serves in order. */
  readonly parts?: readonly Sql[];
  /** Goes behind the columns of the row: `sort_values`, JSON text, where the order has more than the id. */
  readonly sortColumns: Sql;
  readonly limit: number;
  readonly offset: number;
}

/** What to count: rows that pass one of several conditions that exclude one another, no further than `upTo`. */
export interface Counting {
  readonly matching: readonly Sql[];
  readonly upTo: number | null;
}

/** Reads all matches if they are few, puts them in order and takes a page of them. */
export interface GatherSql extends Omit<PageSql, 'where' | 'parts'> {
  /** Conditions that exclude one another. */
  readonly matching: readonly Sql[];
  /** Which of the matches the page may have. */
  readonly after: Sql;
  /** Counts no further than this, and reads no page if there are as many. */
  readonly upTo: number;
}

interface ListRow<Item> {
  readonly item: Item;
  readonly id: string;
  readonly sortValues: unknown[];
}

/** Rows of a list, in order. */
export interface ListRows<Item> {
  readonly rows: ListRow<Item>[];
  /** There are more, but the page would be too large with them. */
  readonly isCut: boolean;
}

/** Where a list comes from. */
export interface ListSource<Item> {
  page(page: PageSql): Promise<ListRows<Item>>;
  /** How many match, and the page if that is less than `upTo`. */
  readonly gather?: (gather: GatherSql) => Promise<ListRows<Item> & { count: number }>;
  count(counting: Counting): Promise<number>;
  /** How many there are, without counting. */
  countAll(): Promise<number>;
  /** The ids of the records that a link means, no more than `upTo`; only for a source whose reads all see one state. */
  readonly findLinked?: (filter: LinkedFilter, upTo: number) => Promise<string[]>;
  /** Indexes that can put the list in order. */
  readonly indexes?: readonly SortIndex[];
}
