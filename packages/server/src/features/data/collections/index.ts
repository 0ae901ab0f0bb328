/** Collections: named sets of documents, their settings, and how many documents they have. */
export { type CheckSettings, changeCollection, deleteCollection } from './change-collection.ts';
export {
  type Collection,
  type CollectionIndex,
  type CollectionSettings,
  collectionRecord,
  type IndexField,
  namesOf,
  type PlacementEpoch,
  type StoredKey,
} from './collection.ts';
export { CollectionDirectory } from './collection-directory.ts';
export { checkName } from './collection-name.ts';
export {
  addToCount,
  closeShard,
  countDocuments,
  documentCounts,
  listOldShards,
  sumDocuments,
} from './count-store.ts';
export { createCollection } from './create-collection.ts';
export { collectionNotFound } from './errors.ts';
export { formatIndexField, readIndexField } from './index-field.ts';
export { addCollectionRoutes } from './routes.ts';
export {
  collectionParams,
  collectionReference,
  collectionSchema,
  deletedSchema,
  settingsBody,
} from './schemas.ts';
export { spreadBusyCount } from './spread-count.ts';
export {
  countCollections,
  findCollection,
  listCollections,
  listOpenCollections,
  lockAllCollections,
  lockCollection,
  measureCollections,
  notifyChanged,
} from './store.ts';
