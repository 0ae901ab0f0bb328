/** Documents: schemaless JSON objects in a collection. */
export { AlikeLists } from './alike-lists.ts';
export type { Fields, StoredDocument } from './document.ts';
export { fieldsJson } from './fields.ts';
export { applyPatch } from './operators.ts';
export { present } from './present.ts';
export { forgetOldKeys, purgeCell, purgeProject } from './purge.ts';
export { readLinkedDocuments } from './read-documents.ts';
export { addDocumentRoutes } from './routes.ts';
export { documentSchema } from './schemas.ts';
export { listAfter } from './store.ts';
