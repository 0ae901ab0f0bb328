import type { Project, RequestContext } from '../projects/index.ts';

const megabyte = 1_048_576;
const gigabyte = 1024 * megabyte;

interface StorageLimits {
  readonly fileBytes: number;
  /** Of all files together; null: no limit. */
  readonly totalBytes: number | null;
}

const ofTier: Record<Project['tier'], StorageLimits> = {
  free: { fileBytes: 10 * megabyte, totalBytes: gigabyte },
  standard: { fileBytes: 10 * megabyte, totalBytes: gigabyte },
  pro: { fileBytes: 100 * megabyte, totalBytes: 100 * gigabyte },
  enterprise: { fileBytes: gigabyte, totalBytes: null },
};

/** Who has not signed in sends files only with a form that is open to anyone, such as a sign-up. */
const anonymous = { fileBytes: 10 * megabyte, files: 5 };
const maxFiles = 100;

/** How large a file of this caller can be, and how many a form can have. */
export function formLimitsOf({ project, principal }: Pick<RequestContext, 'project' | 'principal'>): {
  readonly fileBytes: number;
  readonly files: number;
} {
  const { fileBytes } = storageLimitsOf(project);
  if (principal.isTrusted || principal.user) return { fileBytes, files: maxFiles };
  return { fileBytes: Math.min(fileBytes, anonymous.fileBytes), files: anonymous.files };
}

export function storageLimitsOf(project: Pick<Project, 'tier'>): StorageLimits {
  return ofTier[project.tier];
}
