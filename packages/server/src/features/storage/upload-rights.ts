import type { RequestContext } from '../projects/index.ts';
import { uploadsClosed } from './errors.ts';

/** App users upload where the project lets them; the API key always does. */
export function requireUploads({ project, principal }: RequestContext): void {
  if (!principal.isTrusted && project.settings.uploads === 'server') throw uploadsClosed();
}

/** Whose files the caller sees: undefined stands for everyone's. */
export function visibleUploader({ principal }: RequestContext): string | undefined {
  return principal.isTrusted ? undefined : principal.user!.id;
}
