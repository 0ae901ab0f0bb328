/** Who works on a project: its owner, teammates, and those who are invited. */
export { isAwaited, isInvited } from './invitations.ts';
export { changeOwner, findOwner, findRole, insertMember, listMemberships } from './member-store.ts';
export { type ProjectQuota, requireRoomForProject } from './project-quota.ts';
export { addMemberRoutes } from './routes.ts';
export { giveProject } from './team.ts';
