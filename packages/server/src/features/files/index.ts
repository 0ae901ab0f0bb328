/** Files: bytes in a blob store, records and quotas in PostgreSQL. */
export { type FilesDeps, type NewFile, recordFiles, releaseHeldBy, releaseUnheld } from './records/index.ts';
export { filesOf, readDocumentForm, sweepLooseBlobs } from './uploads/index.ts';
