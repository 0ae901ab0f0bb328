import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import { sweepRows } from '../../platform/db/sweep.ts';
import { sha256 } from '../../platform/secrets.ts';
import { authenticateSession } from '../app-users/index.ts';
import type { Principal, Project, ProjectDirectory, RequestContext } from '../projects/index.ts';

const lifeSeconds = 30;

/** Whom a ticket admits. */
export interface TicketHolder {
  readonly project: Project;
  readonly principal: Principal;
  readonly expiresAtMs: number | undefined;
}

/** A ticket for one connection, on behalf of whoever asks. It begins with the project, so that it needs no address. */
export async function createTicket(
  { db, project, principal }: RequestContext,
  tokenExpiresAtMs: number | undefined,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = `${project.ref}.${randomBytes(24).toString('base64url')}`;
  const { user } = principal;
  const [row] = await db.query<{ expiresAt: Date }>(sql`
    INSERT INTO cell.realtime_tickets
      (project_id, hash, user_id, session_id, api_key_hash, token_expires_at, expires_at)
    VALUES (${db.scope}, ${sha256(ticket)}, ${user?.id ?? null}::uuid, ${user?.sessionId ?? null}::uuid,
      ${principal.isTrusted ? project.apiKeyHash : null}::bytea,
      to_timestamp(${tokenExpiresAtMs === undefined ? null : tokenExpiresAtMs / 1000}::float8),
      now() + make_interval(secs => ${lifeSeconds}))
    RETURNING expires_at AS "expiresAt"`);
  return { ticket, expiresAt: row!.expiresAt };
}

/** Uses a ticket up; undefined if it is none, was used, or is too old. */
export async function useTicket(
  { directory, dbOf }: { directory: ProjectDirectory; dbOf: (project: Project) => ProjectDb },
  ticket: string,
): Promise<TicketHolder | undefined> {
  const project = await directory.findByRef(ticket.slice(0, ticket.indexOf('.')));
  if (!project) return undefined;
  const db = dbOf(project);
  const [row] = await db.query<{
    userId: string | null;
    sessionId: string | null;
    apiKeyHash: Buffer | null;
    tokenExpiresAt: Date | null;
  }>(sql`DELETE FROM cell.realtime_tickets
    WHERE project_id = ${db.scope} AND hash = ${sha256(ticket)} AND expires_at > now()
    RETURNING user_id AS "userId", session_id AS "sessionId", api_key_hash AS "apiKeyHash",
      token_expires_at AS "tokenExpiresAt"`);
  if (!row) return undefined;
  const { userId, sessionId, apiKeyHash, tokenExpiresAt } = row;
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

/** Removes tickets that nobody has used. */
export async function forgetOldTickets(pool: Pool): Promise<void> {
  await sweepRows(pool, sql`cell.realtime_tickets`, sql`expires_at < now()`);
}
