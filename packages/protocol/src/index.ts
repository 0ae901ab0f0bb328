export { type ErrorCode, errorCatalogue } from './errors.ts';
export { type PageOptions, parseConditions, parsePage, parseQuery } from './query/parse-query.ts';
export { parsePath, splitList } from './query/paths.ts';
export { QueryError, queryLimits } from './query/query-error.ts';
export {
  type Condition,
  type Filter,
  formatPath,
  type Operator,
  type Path,
  type Query,
  type SortField,
} from './query/syntax.ts';
export { type ClientMessage, closeCodes, type RoomMember, type ServerMessage } from './realtime.ts';
