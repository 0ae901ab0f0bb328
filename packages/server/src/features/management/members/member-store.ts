import type { Membership, Role } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

export async function findRole(
  control: ControlDb,
  accountId: string,
  projectId: string,
): Promise<Membership | undefined> {
  const [row] = await control.query<{ projectId: string; role: Role }>(
    sql`SELECT project_id AS "projectId", role FROM control.members
      WHERE project_id = ${projectId}::bigint AND account_id = ${accountId}::uuid`,
    'members.find-role',
  );
  return row;
}

export async function findOwner(control: ControlDb, projectId: string): Promise<string | undefined> {
  const [row] = await control.query<{ id: string }>(sql`
    SELECT account_id AS id FROM control.members WHERE project_id = ${projectId}::bigint AND role = 'owner'`);
  return row?.id;
}

export interface Member {
  readonly accountId: string;
  readonly role: Role;
  readonly since: Date;
}

export async function listMembers(control: ControlDb, projectId: string): Promise<Member[]> {
  return control.query<Member & Record<string, unknown>>(sql`
    SELECT account_id AS "accountId", role, since FROM control.members WHERE project_id = ${projectId}::bigint
    ORDER BY role, since, account_id`);
}

/** The projects of an account, the newest first. */
export async function listMemberships(
  control: ControlDb,
  accountId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Membership[]> {
  return control.query<Membership & Record<string, unknown>>(sql`
    SELECT project_id AS "projectId", role FROM control.members
    WHERE account_id = ${accountId}::uuid AND (${before ?? null}::bigint IS NULL OR project_id < ${before ?? null}::bigint)
    ORDER BY project_id DESC LIMIT ${limit}`);
}

/** How many projects an account owns; no more than `most` are counted. */
export async function countOwned(control: ControlDb, accountId: string, most: number): Promise<number> {
  const [row] = await control.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM control.members WHERE account_id = ${accountId}::uuid AND role = 'owner' LIMIT ${most}) AS owned`);
  return row?.count ?? 0;
}

/** False: the account is a member already. */
export async function insertMember(
  control: ControlDb,
  { projectId, accountId, role }: { projectId: string; accountId: string; role: Role },
): Promise<boolean> {
  const added = await control.query(sql`
    INSERT INTO control.members (project_id, account_id, role)
    VALUES (${projectId}::bigint, ${accountId}::uuid, ${role}) ON CONFLICT DO NOTHING RETURNING true`);
  return added.length === 1;
}

/** Removes a teammate; every node hears of it. False: there is none. */
export async function removeTeammate(
  control: ControlDb,
  { projectId, accountId }: { projectId: string; accountId: string },
): Promise<boolean> {
  const removed = await control.query(sql`
    WITH removed AS (
      DELETE FROM control.members
      WHERE project_id = ${projectId}::bigint AND account_id = ${accountId}::uuid AND role = 'teammate'
      RETURNING project_id, account_id)
    SELECT control.tell('member:' || account_id || ' ' || project_id) FROM removed`);
  return removed.length === 1;
}

/** Gives a project from its owner to somebody else. False: somebody else was faster, or there is no such owner. */
export async function changeOwner(
  control: ControlDb,
  { projectId, from, to, stays }: { projectId: string; from: string; to: string; stays: boolean },
): Promise<boolean> {
  const left = await control.query(sql`
    WITH left_behind AS (
      DELETE FROM control.members
      WHERE project_id = ${projectId}::bigint AND account_id = ${from}::uuid AND role = 'owner'
      RETURNING project_id, account_id)
    SELECT control.tell('member:' || account_id || ' ' || project_id) FROM left_behind`);
  if (left.length === 0) return false;
  await putOwner(control, projectId, to);
  if (stays) await insertMember(control, { projectId, accountId: from, role: 'teammate' });
  return true;
}

/** Makes an account the owner of a project that has none. */
export async function putOwner(control: ControlDb, projectId: string, accountId: string): Promise<void> {
  await control.query(sql`
    INSERT INTO control.members (project_id, account_id, role)
    VALUES (${projectId}::bigint, ${accountId}::uuid, 'owner')
    ON CONFLICT (project_id, account_id) DO UPDATE SET role = 'owner'`);
  await control.query(sql`SELECT control.tell(${`member:${accountId} ${projectId}`})`);
}
