import { defineError } from '../../../platform/errors.ts';

export const fileNotFound = defineError(
  'file_not_found',
  (id: string) => `There is no file "${id.slice(0, 100)}" (that you can see).`,
);
export const fileTooLarge = defineError('file_too_large', (limit: number) => ({
  message: `A file of this project can have at most ${inMegabytes(limit)}. Make it smaller, or raise the project’s tier.`,
  details: { limit },
}));
export const storageFull = defineError('storage_full', (limit: number) => ({
  message: `The project’s storage of ${inMegabytes(limit)} is full. Delete files, or raise the project’s tier.`,
  details: { limit },
}));
export const invalidFileName = defineError(
  'invalid_file_name',
  (problem: string) => `The file’s name ${problem}. Send a plain name such as "photo.jpg".`,
);
export const invalidPath = defineError(
  'invalid_path',
  (problem: string) => `The path ${problem}. A path names a folder, such as "photos/2026/".`,
);
export const uploadsClosed = defineError(
  'uploads_closed',
  () => 'In this project, only the server can upload files: this request needs the API key.',
);
export const uploadNotFound = defineError(
  'upload_not_found',
  () =>
    'There is no such upload in progress: it was finished, has expired, or belongs to someone else. Start a new one.',
);
export const linkExpired = defineError(
  'link_expired',
  () => 'This link has expired. Request a new one from the app.',
);

function inMegabytes(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  return megabytes >= 1024 ? `${megabytes / 1024} GB` : `${megabytes} MB`;
}
