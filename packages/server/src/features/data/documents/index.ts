/** Documents: schemaless JSON objects in a collection. */
export { AlikeLists } from './alike-lists.ts';
export type { StoredDocument } from './document.ts';
export { present } from './present.ts';
export { readLinkedDocuments } from './read-documents.ts';
export { readRecordTest } from './record-test.ts';
export { addDocumentRoutes } from './routes.ts';
export { sampleDocuments } from './sample-store.ts';
export { documentSchema } from './schemas.ts';
export { SharedLists } from './shared-lists.ts';
export { findVersion, listAfter, listVersions } from './store.ts';
