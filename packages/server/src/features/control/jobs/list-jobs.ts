import {
  invalidQuery,
  type PageInfo,
  type Project,
  type RequestContext,
  refuseOthers,
} from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { listJobsOf, type ProjectJob } from '../../../platform/jobs/project-jobs.ts';
import { listRemovals } from '../../../platform/tables/removals-store.ts';

export interface JobListDeps {
  /** The names of the project's collections, by their numbers. */
  readonly collectionNames: (db: ProjectDb) => Promise<ReadonlyMap<number, string>>;
}

export const jobStatuses = ['failed', 'running', 'waiting'] as const;
type JobStatus = (typeof jobStatuses)[number];
export const jobKinds = ['mail', 'text', 'sign_in', 'collection', 'removal', 'other'] as const;
type JobKind = (typeof jobKinds)[number];

interface ListedJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  /** The name of the collection that it is about. */
  readonly collection: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  /** When it is done, or tried again; null if it is under way or given up. */
  readonly dueAt: Date | null;
}

const kinds: ReadonlyMap<string, JobKind> = new Map([
  ['send-mail', 'mail'],
  ['send-text', 'text'],
  ['start-phone-login', 'sign_in'],
  ['start-password-reset', 'sign_in'],
  ['tend-collection', 'collection'],
]);

const usualOnPage = 50;
const mostOnPage = 100;
/** Jobs that one call looks at. */
const mostLookedAt = 1000;

/** The background work of a project that is not done: what has failed first, then what is under way. */
export async function listJobs(
  deps: JobListDeps,
  { db, project }: Pick<RequestContext, 'db' | 'project'>,
  queryString: string,
): Promise<{ jobs: ListedJob[]; page: PageInfo }> {
  const { status, limit, after } = readJobQuery(queryString);
  const found = await findJobs(deps, db, project);
  const fitting = found.jobs.filter((job) => status === undefined || job.status === status);
  const rest = fitting
    .map((job) => ({ job, place: placeOf(job) }))
    .filter(({ place }) => after === undefined || place > after)
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  const jobs = rest.slice(0, limit);
  const hasMore = rest.length > limit;
  const page = {
    total: fitting.length,
    totalIsFloor: found.isCut,
    limit,
    offset: 0,
    hasMore,
    nextCursor: hasMore ? (jobs.at(-1)?.place ?? null) : null,
  };
  return { jobs: jobs.map(({ job }) => job), page };
}

/** Where a job stands in the list: texts that are compared as the jobs are. */
const placeOf = ({ status, createdAt, id }: ListedJob): string =>
  `${jobStatuses.indexOf(status)}-${String(createdAt.getTime()).padStart(15, '0')}-${id}`;
const placeForm = /^\d-\d{15}-[\w-]{1,64}$/;

async function findJobs(
  { collectionNames }: JobListDeps,
  db: ProjectDb,
  { ref }: Project,
): Promise<{ jobs: ListedJob[]; isCut: boolean }> {
  const queued = await listJobsOf(db, { ref, most: mostLookedAt });
  const removals = await listRemovals(db, mostLookedAt);
  const isNamed = queued.some(({ task }) => kinds.get(task) === 'collection');
  const names = isNamed ? await collectionNames(db) : new Map<number, string>();
  return {
    jobs: [
      ...queued.map((job) => shown(job, names)),
      ...removals.map(
        ({ id, requestedAt }): ListedJob => ({
          id,
          kind: 'removal',
          status: 'running',
          collection: null,
          attempts: 0,
          createdAt: requestedAt,
          dueAt: null,
        }),
      ),
    ],
    isCut: queued.length === mostLookedAt || removals.length === mostLookedAt,
  };
}

function shown(job: ProjectJob, names: ReadonlyMap<number, string>): ListedJob {
  const { id, task, name, attempts, createdAt, runAt } = job;
  const kind = kinds.get(task) ?? 'other';
  const status = statusOf(job);
  const number = kind === 'collection' ? Number(/\d+$/.exec(name)?.[0]) : Number.NaN;
  return {
    id,
    kind,
    status,
    collection: names.get(number) ?? null,
    attempts,
    createdAt,
    dueAt: status === 'waiting' ? runAt : null,
  };
}

function statusOf({ isRunning, isFailed }: ProjectJob): JobStatus {
  if (isFailed) return 'failed';
  return isRunning ? 'running' : 'waiting';
}

interface JobQuery {
  readonly status: JobStatus | undefined;
  readonly limit: number;
  readonly after: string | undefined;
}

function readJobQuery(queryString: string): JobQuery {
  refuseOthers(queryString, ['status', 'limit', 'cursor']);
  const given = new URLSearchParams(queryString);
  const limit = given.get('limit') ?? String(usualOnPage);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > mostOnPage)
    throw invalidQuery('limit', `It must be 1 to ${mostOnPage} jobs.`);
  const status = jobStatuses.find((one) => one === given.get('status'));
  if (given.has('status') && !status) throw invalidQuery('status', 'It must be waiting, running or failed.');
  const after = given.get('cursor') ?? undefined;
  if (after !== undefined && !placeForm.test(after))
    throw invalidQuery('cursor', 'Send the nextCursor of the previous page, unchanged.');
  return { status, limit: Number(limit), after };
}
