import { invalidQuery, type Project, type RequestContext, refuseOthers } from '../../../calls/index.ts';
import {
  accountIn,
  type ManagementContext,
  noSuchProject,
  projectIn,
  readMoment,
} from '../../../calls/management/index.ts';
import {
  getRequest,
  listKeys,
  listRequests,
  type RequestTail,
  readUsageDays,
  readUsageHours,
  type UsageStep,
} from '../../control/index.ts';
import { listCollections } from '../../data/index.ts';
import { countUnsentMessages } from '../../people/index.ts';
import { findAccounts } from '../accounts/index.ts';
import { findOwner } from '../members/index.ts';
import { type Advice, adviceFor } from './advice.ts';
import { filterNames, readFilter, readNumber } from './request-parameters.ts';

type Reader = Pick<RequestContext, 'project' | 'db'>;

export interface InsightDeps {
  readonly tail: Pick<RequestTail, 'watch'>;
  readonly open: (ref: string) => Promise<Reader | undefined>;
  /** The names of fields that documents of a collection were seen to have. */
  readonly fieldsOf: (project: Project, collection: number) => Promise<ReadonlySet<string>>;
}

async function readerOf({ open }: InsightDeps, context: ManagementContext): Promise<Reader> {
  const { ref } = projectIn(context);
  const reader = await open(ref);
  if (!reader) throw noSuchProject(ref);
  return reader;
}

/** The calls of the project, the latest first. */
export async function readRequests(deps: InsightDeps, context: ManagementContext, queryString: string) {
  refuseOthers(queryString, [...filterNames, 'from', 'to', 'cursor', 'limit']);
  const given = new URLSearchParams(queryString);
  const [from, to] = [readMoment(given, 'from'), readMoment(given, 'to')];
  const [cursor, limit] = [given.get('cursor'), readNumber(given, 'limit')];
  const { requests, nextCursor } = await listRequests(await readerOf(deps, context), {
    ...readFilter(given),
    ...(from && { from }),
    ...(to && { to }),
    ...(cursor !== null && { cursor }),
    ...(limit !== undefined && { limit }),
  });
  return { requests, limit: limit ?? 100, nextCursor: nextCursor ?? null };
}

/** One call, by the id that its answer had. */
export async function readRequest(deps: InsightDeps, context: ManagementContext, id: string) {
  return getRequest(await readerOf(deps, context), id);
}

/** The calls of the project from now on. */
export async function watchRequests(
  { tail }: InsightDeps,
  context: ManagementContext,
  queryString: string,
  signal: AbortSignal,
) {
  refuseOthers(queryString, filterNames);
  const filter = readFilter(new URLSearchParams(queryString));
  return tail.watch(
    { projectId: projectIn(context).projectId, accountId: accountIn(context).id, filter },
    signal,
  );
}

const dayMs = 24 * 3600_000;

/** What the project has used, by hours or days; of the last day, unless the call says otherwise. */
export async function readUsage(
  deps: InsightDeps,
  context: ManagementContext,
  queryString: string,
): Promise<{ steps: UsageStep[]; limits: Project['limits'] }> {
  refuseOthers(queryString, ['from', 'to', 'step']);
  const given = new URLSearchParams(queryString);
  const step = given.get('step') ?? 'hour';
  if (step !== 'hour' && step !== 'day') throw invalidQuery('step', 'It must be hour or day.');
  const to = readMoment(given, 'to') ?? new Date();
  const from = readMoment(given, 'from') ?? new Date(to.getTime() - dayMs);
  const { project, db } = await readerOf(deps, context);
  return { steps: await readUsageHours(db, { from, to, step }), limits: project.limits };
}

/** What the project held, day by day; of the last 90 days, unless the call says otherwise. */
export async function readHoldings(deps: InsightDeps, context: ManagementContext, queryString: string) {
  refuseOthers(queryString, ['from', 'to']);
  const given = new URLSearchParams(queryString);
  const to = readMoment(given, 'to') ?? new Date();
  const from = readMoment(given, 'from') ?? new Date(to.getTime() - 90 * dayMs);
  const { db } = await readerOf(deps, context);
  return readUsageDays(db, { from, to });
}

/** Collections that are looked at. */
const mostCollections = 1000;

/** What the owner should look at. */
export async function readAdvice(deps: InsightDeps, context: ManagementContext): Promise<Advice[]> {
  const { project, db } = await readerOf(deps, context);
  const listed = await listCollections(db, { limit: mostCollections, offset: 0 });
  const collections = await Promise.all(
    listed.map(async (collection) => ({
      ...collection,
      fields: await deps.fieldsOf(project, collection.number),
    })),
  );
  const ownerId = await findOwner(context.control, project.id);
  const [owner] = ownerId === undefined ? [] : await findAccounts(context.control, [ownerId]);
  return adviceFor({
    project,
    collections,
    keys: await listKeys(context.control, project.ref),
    unsentMessages: await countUnsentMessages(db),
    // Without a password there is nothing that would be a first factor alone.
    ownerHasFactor: owner && (owner.hasAuthenticator || !owner.hasPassword),
  });
}
