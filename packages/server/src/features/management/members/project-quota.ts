import type { ControlDb } from '../../../platform/db/control-db.ts';
import { defineError } from '../../../platform/errors.ts';
import { lockProjectLimit, projectLimitOf } from '../accounts/index.ts';
import { countOwned } from './member-store.ts';

/** How many projects an account may own, unless something else was agreed with it. */
export interface ProjectQuota {
  readonly projects: number;
}

const projectsUsedUp = defineError('quota_exceeded', (limit: number) => ({
  message: `An account can own at most ${limit} projects here. Delete one, or ask whoever runs this deployment for more.`,
  details: { quota: 'projects', limit, used: limit },
}));

/** Below this distance to the limit, those who make projects for one account take turns. */
const near = 100;

/** Refuses one project more than an account may own. Call it in the transaction that adds the project. */
export async function requireRoomForProject(
  { projects }: ProjectQuota,
  control: ControlDb,
  accountId: string,
): Promise<void> {
  const limit = (await projectLimitOf(control, accountId)) ?? projects;
  const owned = await countOwned(control, accountId, limit);
  if (owned < limit - near) return;
  await lockProjectLimit(control, accountId);
  if ((await countOwned(control, accountId, limit)) >= limit) throw projectsUsedUp(limit);
}
