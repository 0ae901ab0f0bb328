/** The query language: from a query string to SQL, or to a yes or no about a record in memory. */
export { checkOperands, type Operand } from './check-condition.ts';
export {
  asksFor,
  type CheckedFilter,
  type CheckedQuery,
  everything,
  hasLinks,
  type IndexedPath,
  isAbout,
  isEverything,
  type LinkedFilter,
  type LinkedTable,
  nothing,
  pathsIn,
  type Target,
} from './checked-query.ts';
export { compileFilter, linkedIds } from './compile-filter.ts';
export { conjunctsOf } from './equalities.ts';
export { queryTooBroad } from './errors.ts';
export { hasIndexedLink } from './few-links.ts';
export { fieldsOfRelation } from './link-names.ts';
export type { Counting, GatherSql, PageSql } from './list-source.ts';
export { type MatchedRecord, matches, valueAt } from './match.ts';
export { encodeCursor } from './page-cursor.ts';
export { QueryCost } from './query-cost.ts';
export type { QueryScope } from './query-scope.ts';
export { readFilter, readQuery } from './read-query.ts';
export { type CountWish, readPreferences, runList } from './run-list.ts';
export type { Scalar } from './scalars.ts';
export { storedKey } from './value-of.ts';
export { withoutIndexes } from './without-indexes.ts';
