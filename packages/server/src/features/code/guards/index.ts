/** Guards: hooks that are asked before something is written, and can change or refuse it. */
export { FunctionGuards } from './function-guards.ts';
