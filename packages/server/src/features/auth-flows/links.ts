import { configOf, type Project } from '../projects/index.ts';
import type { AuthFlowServices } from './services.ts';

type Services = Pick<AuthFlowServices, 'pagesOf'>;

/** The link of a verification mail: to the project's own page, else to its frontend, else to ours. */
export function verificationLink(services: Services, project: Project, token: string): string {
  const { VERIFICATION_URL, FRONTEND_URL } = configOf(project);
  return withToken(VERIFICATION_URL ?? FRONTEND_URL ?? `${services.pagesOf(project)}/verify-email`, token);
}

/** The link of a reset mail: to the project's own page, else to ours. */
export function resetLink(services: Services, project: Project, token: string): string {
  const { PASSWORD_RESET_URL } = configOf(project);
  return withToken(PASSWORD_RESET_URL ?? `${services.pagesOf(project)}/reset-password`, token);
}

/** `{url}?token=<token>`, to the letter: an address with a fragment is an app that routes by it. */
function withToken(url: string, token: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}token=${token}`;
}
