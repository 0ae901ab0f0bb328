import type { Project, RequestContext } from '../../../calls/index.ts';

const megabyte = 1_048_576;

interface FileLimits {
  readonly fileBytes: number;
  /** Of all files together; null: no limit. */
  readonly totalBytes: number | null;
}

/** Who has not signed in sends files only with a form that is open to anyone, such as a sign-up. */
const anonymous = { fileBytes: 10 * megabyte, files: 5 };
/** Files in one form; 5 for anonymous callers. @limit invalid_body */
const maxFiles = 100;

/** How large a file of this caller can be, and how many a form can have. */
export function formLimitsOf({ project, principal }: Pick<RequestContext, 'project' | 'principal'>): {
  readonly fileBytes: number;
  readonly files: number;
} {
  const { fileBytes } = fileLimitsOf(project);
  if (principal.isTrusted || principal.user) return { fileBytes, files: maxFiles };
  return { fileBytes: Math.min(fileBytes, anonymous.fileBytes), files: anonymous.files };
}

export function fileLimitsOf({ limits }: Pick<Project, 'limits'>): FileLimits {
  return { fileBytes: limits.fileBytes, totalBytes: limits.storageBytes };
}
