import { AppError, defineError } from '../../platform/errors.ts';
import type { Quota } from './quota.ts';

const advice: Readonly<Record<Quota, string>> = {
  documents: 'Delete documents that are no longer needed',
  documentBytes: 'Delete documents, or make them smaller',
  collections: 'Delete collections that are no longer needed',
  users: 'Delete app users who have left',
  indexes: 'Drop unused indexes',
  idempotencyBytes: 'Responses are kept for 24 hours: wait, or send the request without an Idempotency-Key',
  mailsPerDay: 'Wait until midnight (UTC)',
  textsPerDay: 'Wait until midnight (UTC)',
};

export const quotaExceeded = defineError(
  'quota_exceeded',
  (quota: Quota, { limit, used }: { readonly limit: number; readonly used: number }) => ({
    message: `The project has used its quota of ${quota}: ${used.toLocaleString('en')} of ${limit.toLocaleString('en')}. ${advice[quota]}, or raise the project’s tier.`,
    details: { quota, limit, used },
  }),
);

export function isQuotaExceeded(error: unknown): boolean {
  return error instanceof AppError && error.code === 'quota_exceeded';
}

export const cellFull = defineError(
  'cell_full',
  () =>
    'The database of this project is full. Until its operator adds space, documents, users and files can be read and deleted, but not written.',
);
