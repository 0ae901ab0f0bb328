import { invalidQuery, type PageInfo, type RequestContext, refuseOthers } from '../../../calls/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import { retryJob } from '../../../platform/jobs/project-jobs.ts';
import { messageExpired, messageGone, messageNotFound, messageWasSent } from './errors.ts';
import { hasExpired, jobKeyOf, messageStatuses, shownRecord } from './message-record.ts';
import { findRecord, listRecords, noteRetry, type RecordFilter } from './record-store.ts';

const usualOnPage = 50;
const mostOnPage = 100;
const longestPart = 254;

/** The messages of the project, the latest first. */
export async function listMessages({ db }: Pick<RequestContext, 'db'>, queryString: string) {
  const { limit, ...filter } = readMessageQuery(queryString);
  const found = await listRecords(db, filter, limit + 1);
  const records = found.slice(0, limit);
  const hasMore = found.length > limit;
  const page: PageInfo = {
    total: undefined,
    totalIsFloor: false,
    limit,
    offset: 0,
    hasMore,
    nextCursor: hasMore ? (records.at(-1)?.id ?? null) : null,
  };
  return { messages: records.map(shownRecord), page };
}

const taken = ['status', 'to', 'limit', 'cursor'];

function readMessageQuery(queryString: string): RecordFilter & { readonly limit: number } {
  refuseOthers(queryString, taken);
  const given = new URLSearchParams(queryString);
  for (const name of taken)
    if (given.getAll(name).length > 1) throw invalidQuery(name, 'It must not appear more than once.');
  const limit = given.get('limit') ?? String(usualOnPage);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > mostOnPage)
    throw invalidQuery('limit', `It must be 1 to ${mostOnPage} messages.`);
  const before = given.get('cursor') ?? undefined;
  if (before !== undefined && !isUuid(before))
    throw invalidQuery('cursor', 'Send the nextCursor of the previous page, unchanged.');
  const status = messageStatuses.find((one) => one === given.get('status'));
  if (given.has('status') && !status)
    throw invalidQuery(
      'status',
      `It is ${messageStatuses.slice(0, -1).join(', ')} or ${messageStatuses.at(-1)}.`,
    );
  const to = given.get('to') ?? undefined;
  if (to !== undefined && (to === '' || to.length > longestPart || /\p{Cc}/u.test(to)))
    throw invalidQuery('to', 'It must be part of an email address or phone number.');
  return { limit: Number(limit), before, status, to };
}

/** Has a message sent now that was not sent yet. One whose link or code has expired is not: it would help nobody. */
export async function retryMessage({ db, project }: Pick<RequestContext, 'db' | 'project'>, id: string) {
  const record = isUuid(id) ? await findRecord(db, id) : undefined;
  if (!record) throw messageNotFound(id);
  if (record.status === 'sent') throw messageWasSent();
  if (hasExpired(record)) throw messageExpired();
  return db.transaction(async (db) => {
    if (!(await retryJob(db, jobKeyOf(project, id)))) throw messageGone();
    const retried = await noteRetry(db, id);
    if (!retried) throw messageWasSent();
    return shownRecord(retried);
  });
}
