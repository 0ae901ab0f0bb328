/** Collections: named sets of documents and their settings. */
export { spreadCount } from './change-collection.ts';
export {
  type Collection,
  type CollectionIndex,
  type CollectionSettings,
  collectionRecord,
  type IndexField,
  namesOf,
} from './collection.ts';
export { CollectionDirectory } from './collection-directory.ts';
export { collectionNotFound } from './errors.ts';
export { formatIndexField, readIndexField } from './index-field.ts';
export { createOwnTable, dropOwnTable, listOwnTables } from './own-tables.ts';
export { addCollectionRoutes } from './routes.ts';
export { collectionParams, collectionSchema, deletedSchema } from './schemas.ts';
export {
  beginEpoch,
  closeSlot,
  countDocuments,
  findCollection,
  listOldSlots,
  lockCollection,
  notifyChanged,
} from './store.ts';
export { isInEpoch, ownTable, tableOf } from './table-of.ts';
export { stepsOf, targetIn } from './target-in.ts';
