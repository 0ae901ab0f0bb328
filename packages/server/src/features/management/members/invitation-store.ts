import type { ControlDb } from '../../../platform/db/control-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';

export interface Invitation {
  readonly id: string;
  readonly projectId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

type Row = Invitation & Record<string, unknown>;

const columns = sql`id, project_id AS "projectId", email, email_key AS "emailKey", invited_by AS "invitedBy",
  created_at AS "createdAt", expires_at AS "expiresAt"`;

const lasts = sql`interval '7 days'`;

/** Invites an address, or renews its invitation. Undefined: too many wait, or this one was mailed too often. */
export async function upsertInvitation(
  control: ControlDb,
  invitation: Pick<Invitation, 'id' | 'projectId' | 'email' | 'emailKey'> & {
    readonly invitedBy: string;
    readonly hash: Buffer;
  },
  { mostWaiting, mostMails }: { mostWaiting: number; mostMails: number },
): Promise<Invitation | undefined> {
  const [row] = await control.query<Row>(sql`
    INSERT INTO control.invitations AS known (id, project_id, email, email_key, token_hash, invited_by, expires_at)
    SELECT ${invitation.id}::uuid, ${invitation.projectId}::bigint, ${invitation.email}, ${invitation.emailKey},
      ${invitation.hash}, ${invitation.invitedBy}::uuid, now() + ${lasts}
    WHERE (SELECT count(*) FROM control.invitations WHERE project_id = ${invitation.projectId}::bigint) < ${mostWaiting}
      OR EXISTS (SELECT FROM control.invitations
        WHERE project_id = ${invitation.projectId}::bigint AND email_key = ${invitation.emailKey})
    ON CONFLICT (project_id, email_key) DO UPDATE SET token_hash = excluded.token_hash,
      invited_by = excluded.invited_by, expires_at = excluded.expires_at, mails = known.mails + 1
      WHERE known.mails < ${mostMails}
    RETURNING ${columns}`);
  return row;
}

export async function listInvitations(control: ControlDb, projectId: string): Promise<Invitation[]> {
  return control.query<Row>(sql`
    SELECT ${columns} FROM control.invitations
    WHERE project_id = ${projectId}::bigint AND expires_at > now() ORDER BY created_at, id`);
}

/** Invitations to an address, of all projects. */
export async function listInvitationsTo(control: ControlDb, emailKey: string): Promise<Invitation[]> {
  return control.query<Row>(sql`
    SELECT ${columns} FROM control.invitations
    WHERE email_key = ${emailKey} AND expires_at > now() ORDER BY created_at, id LIMIT 100`);
}

export async function findInvitation(control: ControlDb, hash: Buffer): Promise<Invitation | undefined> {
  const [row] = await control.query<Row>(sql`
    SELECT ${columns} FROM control.invitations WHERE token_hash = ${hash} AND expires_at > now()`);
  return row;
}

/** By what its link carries, or, for whoever it is addressed to, by its id. */
export type WhichInvitation = { readonly hash: Buffer } | { readonly id: string };

/** Uses an invitation up: of many calls at once, exactly one gets it. It must be to this address. */
export async function takeInvitation(
  control: ControlDb,
  which: WhichInvitation,
  emailKey: string,
): Promise<Invitation | undefined> {
  const named: Sql = 'hash' in which ? sql`token_hash = ${which.hash}` : sql`id = ${which.id}::uuid`;
  const [row] = await control.query<Row>(sql`
    DELETE FROM control.invitations WHERE ${named} AND email_key = ${emailKey} AND expires_at > now()
    RETURNING ${columns}`);
  return row;
}

/** Takes an invitation of a project back. How often it was mailed is still known, should it be made again. */
export async function removeInvitation(
  control: ControlDb,
  projectId: string,
  id: string,
): Promise<Invitation | undefined> {
  const [row] = await control.query<Row>(sql`
    UPDATE control.invitations SET expires_at = now()
    WHERE project_id = ${projectId}::bigint AND id = ${id}::uuid AND expires_at > now() RETURNING ${columns}`);
  return row;
}

export async function findInvitationOf(
  control: ControlDb,
  projectId: string,
  id: string,
): Promise<Invitation | undefined> {
  const [row] = await control.query<Row>(sql`
    SELECT ${columns} FROM control.invitations
    WHERE project_id = ${projectId}::bigint AND id = ${id}::uuid AND expires_at > now()`);
  return row;
}
