import { invalidQuery, type Project, type RequestContext, refuseOthers } from '../../../calls/index.ts';
import {
  accountIn,
  type ManagementContext,
  noSuchProject,
  projectIn,
} from '../../../calls/management/index.ts';
import { getRequest, listKeys, listRequests, type RequestTail, readUsageHours } from '../../control/index.ts';
import { listCollections } from '../../data/index.ts';
import { countUnsentMessages } from '../../people/index.ts';
import { findAccounts } from '../accounts/index.ts';
import { findOwner } from '../members/index.ts';
import { type Advice, adviceFor } from './advice.ts';

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

const filters = [
  'status__gte',
  'status__lte',
  'route',
  'credential',
  'user',
  'code',
  'from',
  'to',
  'cursor',
  'limit',
];

/** The calls of the project, the latest first. */
export async function readRequests(deps: InsightDeps, context: ManagementContext, queryString: string) {
  refuseOthers(queryString, filters);
  const given = new URLSearchParams(queryString);
  const text = (name: string) => given.get(name) ?? undefined;
  const number = (name: string) => readNumber(name, text(name));
  const credential = text('credential');
  if (credential !== undefined && !isCredential(credential))
    throw invalidQuery('credential', 'It is none, user, apiKey or account.');
  const [statusFrom, statusTo, limit] = [number('status__gte'), number('status__lte'), number('limit')];
  const [from, to] = [readMoment('from', text('from')), readMoment('to', text('to'))];
  const [route, userId, code, cursor] = [text('route'), text('user'), text('code'), text('cursor')];
  const { requests, nextCursor } = await listRequests(await readerOf(deps, context), {
    ...(statusFrom !== undefined && { statusFrom }),
    ...(statusTo !== undefined && { statusTo }),
    ...(route !== undefined && { route }),
    ...(credential !== undefined && { credential }),
    ...(userId !== undefined && { userId }),
    ...(code !== undefined && { code }),
    ...(from && { from }),
    ...(to && { to }),
    ...(cursor !== undefined && { cursor }),
    ...(limit !== undefined && { limit }),
  });
  return { requests, limit: limit ?? 100, nextCursor: nextCursor ?? null };
}

/** One call, by the id that its answer had. */
export async function readRequest(deps: InsightDeps, context: ManagementContext, id: string) {
  return getRequest(await readerOf(deps, context), id);
}

/** The calls of the project from now on. */
export async function watchRequests(deps: InsightDeps, context: ManagementContext, signal: AbortSignal) {
  return deps.tail.watch({ id: projectIn(context).projectId }, accountIn(context).id, signal);
}

type Credential = 'none' | 'user' | 'apiKey' | 'account';
const isCredential = (text: string): text is Credential =>
  ['none', 'user', 'apiKey', 'account'].includes(text);

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,3}$/.test(text)) throw invalidQuery(name, 'It is a whole number.');
  return Number(text);
}

function readMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw invalidQuery(name, 'It is a time, such as 2026-11-17T09:00:00Z.');
  return moment;
}

const dayMs = 24 * 3600_000;

/** What the project has used, by hours or days; of the last day, unless the call says otherwise. */
export async function readUsage(
  deps: InsightDeps,
  context: ManagementContext,
  queryString: string,
): Promise<readonly object[]> {
  refuseOthers(queryString, ['from', 'to', 'step']);
  const given = new URLSearchParams(queryString);
  const step = given.get('step') ?? 'hour';
  if (step !== 'hour' && step !== 'day') throw invalidQuery('step', 'It is hour or day.');
  const to = readMoment('to', given.get('to') ?? undefined) ?? new Date();
  const from = readMoment('from', given.get('from') ?? undefined) ?? new Date(to.getTime() - dayMs);
  const { db } = await readerOf(deps, context);
  return readUsageHours(db, { from, to, step });
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
