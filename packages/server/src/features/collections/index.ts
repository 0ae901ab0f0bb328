/** Collections: named sets of documents and their settings. */
export { spreadCount } from './change-collection.ts';
export { type Collection, type CollectionSettings, collectionRecord } from './collection.ts';
export { CollectionDirectory } from './collection-directory.ts';
export { collectionNotFound } from './errors.ts';
export { addCollectionRoutes } from './routes.ts';
export { collectionParams, collectionSchema, deletedSchema } from './schemas.ts';
export { countDocuments } from './store.ts';
