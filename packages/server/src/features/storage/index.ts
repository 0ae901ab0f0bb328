/** Files: bytes in a blob store, records and quotas in PostgreSQL. */
export { readDocumentForm } from './document-form.ts';
export { FileUrls, type NewFile } from './file.ts';
export { storageLimitsOf } from './limits.ts';
export { recordFiles, releaseHeldBy, releaseUnheld } from './record-files.ts';
export { addFileDelivery, addStorageRoutes } from './routes.ts';
export { fileSchema } from './schemas.ts';
export type { StorageServices } from './services.ts';
export { filesOf } from './staged-form.ts';
export { forgetFiles } from './store.ts';
export { sweepLooseBlobs } from './sweep.ts';
