import type { Project } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { listSubscribers, type Subscribers } from '../../deliveries/index.ts';
import type { FunctionRecord } from '../functions/index.ts';

/** What deliveries call functions that run by themselves: after events, at their time, or when code asks for it. */
export const functionKind = 'function';

const verbs: Readonly<Record<string, string>> = {
  post_create: 'create',
  post_update: 'update',
  post_delete: 'delete',
  post_register: 'register',
  post_login: 'login',
};

/**
 * Gives every function of a deployment that runs by itself a lane of its own, in the transaction of the switch. One that
 * is not in the deployment is served no more; what waits for it is kept, in case the project goes back.
 */
export async function subscribeFunctions(
  subscribers: Subscribers,
  db: ProjectDb,
  _project: Project,
  functions: readonly FunctionRecord[],
): Promise<void> {
  const wanted = new Map(functions.flatMap((one) => (eventsOf(one) ? [[one.name, one] as const] : [])));
  const known = await listSubscribers(db, functionKind);
  for (const { lane, name, disabledAt } of known)
    if (!wanted.has(name) && disabledAt === null) await subscribers.disable(db, lane, 'gone');
  for (const one of wanted.values()) {
    const { name, options } = one;
    const saved = await subscribers.save(db, {
      kind: functionKind,
      name,
      events: eventsOf(one) ?? [],
      filter: null,
      isOrdered: options.ordered === true || options.overlap === 'queue',
    });
    if (saved.disabledReason === 'gone') await subscribers.enable(db, saved.lane);
  }
}

/** The events that a function wants to hear of; undefined: it does not run by itself. */
function eventsOf({ kind, event = '', collection = 'users' }: FunctionRecord): string[] | undefined {
  if (kind === 'http') return undefined;
  if (kind !== 'hook') return [];
  const verb = verbs[event];
  return verb === undefined ? undefined : [`${collection}.${verb}`];
}
