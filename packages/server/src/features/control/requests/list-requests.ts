import { invalidQuery, type RequestContext } from '../../../calls/index.ts';
import { isUuid, lowestIdOf } from '../../../platform/ids.ts';
import { requestNotFound } from './errors.ts';
import type { RequestFilter } from './request-filter.ts';
import type { RequestRecord } from './request-record.ts';
import { findEndOfLook, findRequests } from './request-store.ts';

type Reader = Pick<RequestContext, 'project' | 'db'>;

export interface RequestQuery extends RequestFilter {
  readonly from?: Date;
  /** Without it: until now. */
  readonly to?: Date;
  readonly cursor?: string;
  readonly limit?: number;
}

interface RequestPage {
  readonly requests: readonly RequestRecord[];
  /** There may be more. Where few pass the filter, a page may be short, or empty, and not be the last. */
  readonly nextCursor?: string;
}

const mostAtOnce = 100;
/** Requests that one page looks at, however few pass its filter. */
const mostLookedAt = 20_000;
const dayMs = 86_400_000;

/** The project's calls, the latest first, as far back as its tier lets it see. */
export async function listRequests({ project, db }: Reader, query: RequestQuery): Promise<RequestPage> {
  const { cursor, from, to, limit = mostAtOnce, ...conditions } = query;
  if (cursor !== undefined && !isUuid(cursor))
    throw invalidQuery('cursor', 'It is not the cursor of a page.');
  if (query.userId !== undefined && !isUuid(query.userId))
    throw invalidQuery('userId', 'It is not a valid id.');
  const ends = [cursor, to && lowestIdOf(to.getTime())].filter((end) => end !== undefined);
  const wanted = { ...conditions, fromId: earliestOf(project, from), beforeId: ends.toSorted()[0] };
  const most = Math.min(Math.max(1, limit), mostAtOnce);
  const requests = await findRequests(db, wanted, { limit: most, lookedAt: mostLookedAt });
  const next = requests.length === most ? requests.at(-1)?.id : await findEndOfLook(db, wanted, mostLookedAt);
  return { requests, ...(next !== undefined && { nextCursor: next }) };
}

/** One call, by its request id: as the service has made it, or as the caller chose it, if that was lately. */
export async function getRequest({ project, db }: Reader, id: string): Promise<RequestRecord> {
  const fromId = earliestOf(project);
  const made = isUuid(id) ? await findRequests(db, { fromId, id }, { limit: 1, lookedAt: 1 }) : [];
  const [request] =
    made.length > 0
      ? made
      : await findRequests(db, { fromId, givenId: id }, { limit: 1, lookedAt: mostLookedAt });
  if (!request) throw requestNotFound();
  return request;
}

/** The lowest id that the project may see. */
function earliestOf({ limits }: Reader['project'], from?: Date): string {
  const kept = Date.now() - limits.requestLogDays * dayMs;
  return lowestIdOf(Math.max(kept, from?.getTime() ?? 0));
}
