import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { TierLimits } from '../tiers.ts';

/** What a project takes from a quota. Files have their own exact count, as they reserve space before they are there. */
export const quotas = [
  'documents',
  'documentBytes',
  'collections',
  'users',
  'indexes',
  'idempotencyBytes',
  'mailsPerDay',
  'textsPerDay',
] as const satisfies readonly (keyof TierLimits)[];

export type Quota = (typeof quotas)[number];

export type Amounts = Readonly<Partial<Record<Quota, number>>>;

/** Says how much of a quota a project has used; what is committed counts. */
export type QuotaSources = Readonly<Record<Quota, (db: ProjectDb) => Promise<number>>>;
