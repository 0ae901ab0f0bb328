import { randomBytes } from 'node:crypto';
import type { Principal, Project, ProjectDirectory, RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { authenticateSession } from '../../people/index.ts';
import { insertTicket, takeTicket } from './ticket-store.ts';

const lifeSeconds = 30;

/** Who is let in with a ticket. */
export interface TicketHolder {
  readonly project: Project;
  readonly principal: Principal;
  readonly expiresAtMs: number | undefined;
}

/** A ticket for one connection, on behalf of the caller. It begins with the project, so it needs no address. */
export async function createTicket(
  { db, project, principal }: RequestContext,
  tokenExpiresAtMs: number | undefined,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = `${project.ref}.${randomBytes(24).toString('base64url')}`;
  const { user } = principal;
  const holder = {
    userId: user?.id ?? null,
    sessionId: user?.sessionId ?? null,
    apiKeyHash: principal.isTrusted ? project.apiKeyHash : null,
    tokenExpiresAt: tokenExpiresAtMs === undefined ? null : new Date(tokenExpiresAtMs),
  };
  return { ticket, expiresAt: await insertTicket(db, sha256(ticket), holder, lifeSeconds) };
}

/** Uses a ticket up; undefined if it is none, was used before, or has expired. */
export async function useTicket(
  { directory, dbOf }: { directory: ProjectDirectory; dbOf: (project: Project) => ProjectDb },
  text: string,
): Promise<TicketHolder | undefined> {
  const project = await directory.findByRef(text.slice(0, text.indexOf('.')));
  if (!project) return undefined;
  const db = dbOf(project);
  const ticket = await takeTicket(db, sha256(text));
  if (!ticket) return undefined;
  const { userId, sessionId, apiKeyHash, tokenExpiresAt } = ticket;
  if (apiKeyHash && !apiKeyHash.equals(project.apiKeyHash)) return undefined;
  const user =
    userId === null || sessionId === null ? undefined : await authenticateSession(db, { userId, sessionId });
  if (userId !== null && !user) return undefined;
  return {
    project,
    principal: { isTrusted: apiKeyHash !== null, ...(user && { user }) },
    expiresAtMs: tokenExpiresAt?.getTime(),
  };
}
