/** Placement: in which table the documents of a collection are, and their move to a table of the collection's own. */
export { closeOldShards } from './close-old-shards.ts';
export { fillKeys } from './fill-keys.ts';
export { moveCollection } from './move-collection.ts';
export { beginPlacementEpoch } from './move-store.ts';
export { mostOwnTables, ownTableFrom, roomForOwnTable } from './own-table-limits.ts';
export { analyzeOwnTable, listOwnTables } from './own-table-store.ts';
export { patientTransaction } from './patient-transaction.ts';
export { holdsKeys, isColumn, keyPaths, placeOf, TooManyKeys } from './stored-keys.ts';
export {
  epochOf,
  isInEpoch,
  isInOwnTable,
  isInSharedTable,
  isMoving,
  ownTable,
  tableOf,
} from './table-store.ts';
export { stepsOf, targetIn } from './target-in.ts';
