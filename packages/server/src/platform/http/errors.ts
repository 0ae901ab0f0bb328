import { errorCode } from '../error-code.ts';
import { type AppError, defineError } from '../errors.ts';

export const invalidBody = defineError('invalid_body', (problem: string) => problem);

export const bodyTooLarge = defineError(
  'body_too_large',
  (limit: string) => `The body is larger than ${limit}.`,
);

export const itemTooLarge = defineError('body_too_large', (index: number, limit: string) => ({
  message: `Item ${index}: The document is larger than ${limit}.`,
  details: { index },
}));

export const bodyNotJson = (): AppError =>
  invalidBody('The body must be JSON: send Content-Type: application/json.');

export const bodyNotText = (): AppError =>
  invalidBody(
    'The body must be text: send Content-Type: application/x-www-form-urlencoded or text/plain, or a string as JSON.',
  );

export const bodyNeitherJsonNorForm = (): AppError =>
  invalidBody(
    'The body must be JSON (Content-Type: application/json) or, with files, a form (multipart/form-data).',
  );

/** Did the caller go away in the middle of sending its body? */
export function isBrokenOff(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'ABORT_ERR';
}
