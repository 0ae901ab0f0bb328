export { type ErrorCode, errorCatalogue } from './errors.ts';
export {
  isEach,
  isOperatorName,
  operandValues,
  PatchError,
  type PatchOperation,
  parseOperations,
  patchOperators,
  touchedByOperators,
} from './patch/patch.ts';
export { compareText, compareValues } from './query/order.ts';
export { reservedNames } from './query/parameter-name.ts';
export { type PageOptions, parseConditions, parsePage, parseQuery } from './query/parse-query.ts';
export { parsePath, splitEscaped, splitList } from './query/paths.ts';
export { QueryError } from './query/query-error.ts';
export { queryLimits } from './query/query-limits.ts';
export {
  type Condition,
  type Filter,
  formatPath,
  type Operator,
  type Path,
  type Query,
  type SortField,
} from './query/syntax.ts';
export {
  type ClientMessage,
  type ConnectionReport,
  closeCodes,
  type ErrorSubject,
  type RoomMember,
  type RoomReport,
  type ServerMessage,
} from './realtime.ts';
export type { CollectionShape, FieldShape, JsonType } from './shape.ts';
