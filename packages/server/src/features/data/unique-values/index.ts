/** Unique values: no two documents of a collection have the same values in the fields of a unique index. */
export { buildUnique, dropUniqueValues } from './build-values.ts';
export { claimUnique, hasUnique, reclaimUnique, releaseUnique } from './claim-values.ts';
