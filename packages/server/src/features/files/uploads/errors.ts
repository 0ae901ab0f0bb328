import { defineError } from '../../../platform/errors.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import { supportedExtensions } from '../kinds/index.ts';

export const unsupportedFileType = defineError(
  'unsupported_file_type',
  (problem: string) =>
    `${problem} Files that can be stored: ${supportedExtensions.map((name) => `.${name}`).join(' ')}`,
);
export const privateIsBoolean = () => invalidBody('"private" is true or false.');
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
