import { type RequestContext, requireScope } from '../../../calls/index.ts';
import {
  type Deliveries,
  findSubscriber,
  type LaneState,
  listStates,
  listSubscribers,
  readDelivery,
  type Subscriber,
  type Subscribers,
} from '../../deliveries/index.ts';
import type { FunctionRecord, FunctionRuns } from '../functions/index.ts';
import { notInBackground } from './errors.ts';
import { functionKind } from './subscribe.ts';

/** Functions that one answer tells of: those of a deployment, and some that are gone. */
const mostListed = 200;

export interface BackgroundDeps {
  readonly runs: Pick<FunctionRuns, 'find'>;
  readonly subscribers: Pick<Subscribers, 'enable' | 'disable'>;
  readonly deliveries: Pick<Deliveries, 'add' | 'hint' | 'replay'>;
}

const shown = (
  { name, events, isOrdered, disabledAt, disabledReason, isFull }: Subscriber,
  state: LaneState | undefined,
  one: FunctionRecord | undefined,
) => ({
  name,
  kind: one?.kind ?? null,
  events,
  ordered: isOrdered,
  enabled: disabledAt === null,
  disabledAt,
  disabledReason,
  catchingUp: isFull,
  health: {
    waiting: state?.waiting ?? 0,
    dead: state?.dead ?? 0,
    failingSince: state?.failingSince ?? null,
    pausedUntil: state?.pausedUntil ?? null,
  },
});

type BackgroundFunction = ReturnType<typeof shown>;

/** Those that are gone and have left nothing are of no interest any more. */
const isListed = ({ disabledReason, health }: BackgroundFunction): boolean =>
  disabledReason !== 'gone' || health.waiting > 0 || health.dead > 0;

/** Functions that run by themselves, with what waits for each: those of the deployment first. */
export async function listBackground(
  { runs }: BackgroundDeps,
  { db, project }: RequestContext,
): Promise<BackgroundFunction[]> {
  const active = await runs.find(project);
  const states = await listStates(db, functionKind);
  return (await listSubscribers(db, functionKind))
    .map((one) => shown(one, states.get(one.name), active?.functions.get(one.name)))
    .filter(isListed)
    .toSorted((a, b) => Number(a.kind === null) - Number(b.kind === null) || a.name.localeCompare(b.name))
    .slice(0, mostListed);
}

export async function getBackground(
  { runs }: BackgroundDeps,
  { db, project }: RequestContext,
  name: string,
): Promise<BackgroundFunction> {
  const found = await requireFunction({ db }, name);
  const states = await listStates(db, functionKind, name);
  return shown(found, states.get(name), (await runs.find(project))?.functions.get(name));
}

export async function requireFunction({ db }: Pick<RequestContext, 'db'>, name: string): Promise<Subscriber> {
  const found = await findSubscriber(db, functionKind, name);
  if (!found) throw notInBackground(name);
  return found;
}

/** One event, whole: a key needs the scopes for what it tells of, too. */
export async function readEvent(context: RequestContext, name: string, id: string) {
  const { lane } = await requireFunction(context, name);
  const delivery = await readDelivery(context.db, lane, id);
  const { collection, user } = delivery.payload;
  if (typeof collection === 'string')
    requireScope(context.principal, { area: 'documents', action: 'read', collection });
  if (user !== undefined) requireScope(context.principal, { area: 'users', action: 'read' });
  return delivery;
}

/** Lets a function run by itself, or not for now. One that has failed for too long begins anew, with what has waited. */
export async function changeBackground(
  deps: BackgroundDeps,
  context: RequestContext,
  name: string,
  isEnabled: boolean,
): Promise<BackgroundFunction> {
  const { db, project } = context;
  const { lane, disabledReason } = await requireFunction(context, name);
  // It is enabled by deploying it again.
  if (disabledReason === 'gone') throw notInBackground(name);
  if (isEnabled) await deps.subscribers.enable(db, lane);
  else await deps.subscribers.disable(db, lane, 'paused');
  db.afterCommit(() => deps.deliveries.hint(project.cell, { projectId: project.id, lane }));
  return getBackground(deps, context, name);
}
