import { defineError } from '../../../platform/errors.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import { supportedExtensions } from '../kinds/index.ts';

export const unsupportedFileType = defineError(
  'unsupported_file_type',
  (problem: string) =>
    `${problem} Files that can be stored: ${supportedExtensions.map((name) => `.${name}`).join(' ')}`,
);
export const privateIsBoolean = () => invalidBody('"private" must be true or false.');
export const tooManyUploads = defineError('too_many_uploads', (limit: number) => ({
  message: `You have ${limit} uploads in progress. Finish or cancel one before you start another.`,
  headers: { 'Retry-After': '60' },
}));
export const uploadBusy = defineError('upload_busy', () => ({
  message: 'Another request is working on this upload. Try again when it is done.',
  headers: { 'Retry-After': '5' },
}));
export const uploadIncomplete = defineError(
  'upload_incomplete',
  (have: number, size: number) => `Only ${have} of ${size} bytes have arrived. Send the complete file first.`,
);
