import { defineError } from '../../platform/errors.ts';
import { invalidBody } from '../../platform/http/errors.ts';
import { supportedExtensions } from './file-kinds.ts';

export const fileNotFound = defineError(
  'file_not_found',
  (id: string) => `There is no file "${id.slice(0, 100)}" (that you may see).`,
);
export const fileTooLarge = defineError('file_too_large', (limit: number) => ({
  message: `A file of this project can have ${inMegabytes(limit)}. Make it smaller, or raise the project’s tier.`,
  details: { limit },
}));
export const storageFull = defineError('storage_full', (limit: number) => ({
  message: `The project’s storage of ${inMegabytes(limit)} is full. Delete files, or raise the project’s tier.`,
  details: { limit },
}));
export const unsupportedFileType = defineError(
  'unsupported_file_type',
  (problem: string) =>
    `${problem} Files that can be stored: ${supportedExtensions.map((name) => `.${name}`).join(' ')}`,
);
export const invalidFileName = defineError(
  'invalid_file_name',
  (problem: string) => `The file’s name ${problem}. Send a plain name such as "photo.jpg".`,
);
export const invalidPath = defineError(
  'invalid_path',
  (problem: string) => `The path ${problem}. A path names a folder, such as "photos/2026/".`,
);
export const privateIsBoolean = () => invalidBody('"private" is true or false.');
export const uploadsClosed = defineError(
  'uploads_closed',
  () => 'In this project only the server uploads files: this call needs the API key.',
);
export const uploadNotFound = defineError(
  'upload_not_found',
  () =>
    'There is no such upload under way: it has ended, has expired, or is somebody else’s. Start a new one.',
);
export const tooManyUploads = defineError('too_many_uploads', (limit: number) => ({
  message: `You have ${limit} uploads under way. Finish one, or give one up, before the next.`,
  headers: { 'Retry-After': '60' },
}));
export const uploadBusy = defineError('upload_busy', () => ({
  message: 'Another call is working on this upload. Try again when it is done.',
  headers: { 'Retry-After': '5' },
}));
export const uploadIncomplete = defineError(
  'upload_incomplete',
  (have: number, size: number) => `${have} of ${size} bytes have arrived. Send the file first, whole.`,
);
export const notAnImage = defineError(
  'not_an_image',
  () =>
    'Only .jpg, .png, .webp and .gif files can be resized and converted. Ask for it without w, h, fit and format.',
);
export const imageTooLarge = defineError(
  'image_too_large',
  (limit: string) =>
    `The image has more than ${limit}, too much to resize. The file itself can be downloaded.`,
);
export const imageUnreadable = defineError(
  'image_unreadable',
  () => 'The image cannot be decoded: it is damaged or cut off. The file itself can be downloaded.',
);
export const imagesBusy = defineError('images_busy', () => ({
  message: 'Too many images are being resized just now. Try again in a few seconds.',
  headers: { 'Retry-After': '5' },
}));
export const rangeNotSatisfiable = defineError('range_not_satisfiable', (size: number) => ({
  message: `The file has ${size} bytes; the range asked for lies beyond them.`,
  headers: { 'Content-Range': `bytes */${size}` },
}));
export const linkExpired = defineError(
  'link_expired',
  () => 'This link was good for a limited time, which is over. Ask the app for a new one.',
);

function inMegabytes(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  return megabytes >= 1024 ? `${megabytes / 1024} GB` : `${megabytes} MB`;
}
