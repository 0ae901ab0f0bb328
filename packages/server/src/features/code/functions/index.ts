/** Functions: the code of projects, its versions, and what it did. */
export { type ActiveCode, CodeDirectory, keyOf } from './code-directory.ts';
export { hookDepth, mostDepth } from './errors.ts';
export { type FunctionRecord, isBefore, mostBeforeSeconds } from './function-record.ts';
export { addFunctionRoutes } from './routes.ts';
export { FunctionRuns, RunFailure } from './run-function.ts';
export { RunLog } from './run-log.ts';
export type { RunRecord } from './run-store.ts';
