/** Records: what a file is, its row, how much a project stores, and bytes that no record holds. */
export type { FilesDeps } from './deps.ts';
export {
  fileNotFound,
  fileTooLarge,
  invalidFileName,
  linkExpired,
  storageFull,
  uploadNotFound,
} from './errors.ts';
export {
  type File,
  FileUrls,
  fileRecord,
  incomingOf,
  isUuid,
  type NewFile,
  newUrlKey,
  originalOf,
  treeOf,
} from './file.ts';
export { checkFileName, checkPath } from './file-name.ts';
export { fileLimitsOf, formLimitsOf } from './limits.ts';
export { getFile } from './list-files.ts';
export { doomLoose, forgetLoose, insertLoose, keepLoose, takeLoose } from './loose-store.ts';
export { recordFile, recordFiles, recordVariant, releaseHeldBy, releaseUnheld } from './record-files.ts';
export { requireUploads, visibleUploader } from './rights.ts';
export { addFileRoutes } from './routes.ts';
export { fileParams, fileReference, fileSchema } from './schemas.ts';
export { findByUrlKey, findFile } from './store.ts';
export { readUsage, takeSpace } from './usage-store.ts';
