import type { RequestContext } from '../../../calls/index.ts';
import { uploadsClosed } from './errors.ts';

/** App users may upload if the project lets them; the API key always may. */
export function requireUploads({ project, principal }: RequestContext): void {
  if (!principal.isTrusted && project.settings.uploads === 'server') throw uploadsClosed();
}

/** Whose files the caller sees; undefined: everyone's. */
export function visibleUploader({ principal }: RequestContext): string | undefined {
  if (principal.isTrusted) return undefined;
  if (!principal.user) throw new Error('Files were asked for without a credential.');
  return principal.user.id;
}
