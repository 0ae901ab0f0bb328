import type { DevProject } from './dev-project.ts';

interface Started {
  readonly baseUrl: string;
  /** Signs in whoever opens it first. */
  readonly dashboardUrl: string;
  readonly project: DevProject;
  readonly isNew: boolean;
  readonly mailsAreKept: boolean;
}

/** One line for programs that start `plinth dev`. */
export function jsonLine({ baseUrl, dashboardUrl, project: { projectRef, apiKey } }: Started): string {
  const projectUrl = `${baseUrl}/p/${projectRef}`;
  return `${JSON.stringify({ baseUrl, projectUrl, projectRef, apiKey, dashboardUrl })}\n`;
}

/** What somebody needs for the first call. */
export function welcome({ baseUrl, dashboardUrl, project, isNew, mailsAreKept }: Started): string {
  const { projectRef, apiKey } = project;
  const curl = isNew
    ? `curl ${baseUrl}/collections -H "X-API-Key: ${apiKey}" -H "Content-Type: application/json" -d '{"name":"posts"}'`
    : `curl ${baseUrl}/collections -H "X-API-Key: ${apiKey}"`;
  return `
Plinth is running. Ctrl-C stops it.

  Base URL      ${baseUrl}
  Project       ${baseUrl}/p/${projectRef}
  API key       ${apiKey}
  Dashboard     ${dashboardUrl}
  Guide         ${baseUrl}/guide/
  Reference     ${baseUrl}/docs
${mailsAreKept ? `  Emails        ${baseUrl}/dev/mail\n` : ''}
${isNew ? 'Create your first collection:' : 'Your collections:'}

  ${curl}

`;
}
