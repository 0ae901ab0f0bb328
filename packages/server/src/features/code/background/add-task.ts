import type { RequestContext } from '../../../calls/index.ts';
import { newRequestId } from '../../../platform/ids.ts';
import { type Deliveries, findSubscriber } from '../../deliveries/index.ts';
import { hookDepth, mostDepth } from '../functions/index.ts';
import { taskNotFound } from './errors.ts';
import { functionKind } from './subscribe.ts';

export interface NewTask {
  readonly function: string;
  readonly payload?: unknown;
  readonly runAt?: string;
}

/** Writes down that a function is to run: at least once, now or later. */
export async function addTask(
  deliveries: Pick<Deliveries, 'add'>,
  { db, project, depth = 0 }: RequestContext,
  { function: name, payload = null, runAt }: NewTask,
): Promise<{ id: string }> {
  if (depth > mostDepth) throw hookDepth(mostDepth);
  const found = await findSubscriber(db, functionKind, name);
  if (!found || found.disabledAt !== null) throw taskNotFound(name);
  const id = newRequestId();
  const dueAt = runAt === undefined ? undefined : new Date(runAt);
  const told = JSON.stringify({ id, event: 'task', at: (dueAt ?? new Date()).toISOString(), payload });
  await db.transaction((db) =>
    deliveries.add(db, project, [
      { id, event: 'task', payload: told, depth, lanes: [found.lane], ...(dueAt && { dueAt }) },
    ]),
  );
  return { id };
}
