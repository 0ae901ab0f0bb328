/** Uploads: files on their way in, by form, straight to the store or in pieces, until they are recorded or removed. */
export { DirectPuts } from './direct-puts.ts';
export { readDocumentForm } from './forms/document-form.ts';
export { filesOf } from './forms/staged-form.ts';
export { UploadWriters } from './resumable/upload-locks.ts';
export { addUploadRoutes } from './routes.ts';
export { sweepLooseBlobs } from './sweep.ts';
