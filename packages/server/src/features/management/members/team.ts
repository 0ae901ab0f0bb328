import { accountIn, type ManagementContext, projectIn } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { findAccounts } from '../accounts/index.ts';
import { noMember, ownerStays } from './errors.ts';
import { changeOwner, findOwner, findRole, listMembers, putOwner, removeTeammate } from './member-store.ts';
import { type ProjectQuota, requireRoomForProject } from './project-quota.ts';

/** Who works on the project, the owner first. */
export async function listTeam({ control, ...context }: ManagementContext) {
  const members = await listMembers(control, projectIn({ control, ...context }).projectId);
  const accounts = await findAccounts(
    control,
    members.map(({ accountId }) => accountId),
  );
  return members.flatMap(({ accountId: id, role, since }) => {
    const account = accounts.find((one) => one.id === id);
    return account ? [{ id, email: account.email, name: account.name, role, since }] : [];
  });
}

/** Removes a teammate, who is refused from the next call on. */
export async function removeFromTeam(context: ManagementContext, accountId: string): Promise<void> {
  const { projectId } = projectIn(context);
  if (!(await removeTeammate(context.control, { projectId, accountId }))) throw noMember();
}

/** Leaves a project as a teammate. */
export async function leave(context: ManagementContext): Promise<void> {
  const { projectId, role } = projectIn(context);
  if (role === 'owner') throw ownerStays();
  await removeTeammate(context.control, { projectId, accountId: accountIn(context).id });
}

/** Gives the project to a teammate; who owned it stays as a teammate. */
export async function transfer(
  quota: ProjectQuota,
  context: ManagementContext,
  accountId: string,
): Promise<void> {
  const { control } = context;
  const { projectId } = projectIn(context);
  const role = await findRole(control, accountId, projectId);
  if (role?.role !== 'teammate') throw noMember();
  await requireRoomForProject(quota, control, accountId);
  const from = accountIn(context).id;
  if (!(await changeOwner(control, { projectId, from, to: accountId, stays: true }))) throw noMember();
}

/** Makes an account the owner of a project, whoever was: for whoever runs the deployment. */
export async function giveProject(control: ControlDb, projectId: string, accountId: string): Promise<void> {
  await control.transaction(async (control) => {
    const owner = await findOwner(control, projectId);
    if (owner === accountId) return;
    if (owner !== undefined)
      await changeOwner(control, { projectId, from: owner, to: accountId, stays: true });
    else await putOwner(control, projectId, accountId);
  });
}
