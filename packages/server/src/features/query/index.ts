/** The query language: from a query string to SQL, or to a yes or no about a document in memory. */
export { readPage, readQuery } from './check-query.ts';
export { type CheckedQuery, type CheckedSort, isUnfiltered } from './checked-query.ts';
export { compileFilter } from './compile-filter.ts';
export { type CursorPosition, CutString, decodeCursor, encodeCursor } from './cursor.ts';
export { invalidQuery } from './errors.ts';
export { matches, valueAt } from './match.ts';
export { compileAfter, compileSort, sortColumns } from './sort.ts';
