import { invalidQuery, type PageInfo } from '../../../calls/index.ts';
import {
  accountIn,
  type ManagementContext,
  projectIn,
  readCursorPage,
  readMoment,
} from '../../../calls/management/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import { findAccounts } from '../accounts/index.ts';
import {
  type AuditFilter,
  endOfLook,
  listOfAccount,
  listOfProject,
  type StoredEntry,
} from './audit-store.ts';

/** Entries that one page looks at, however few pass its filter. */
const mostLookedAt = 20_000;

export async function readProjectAudit(context: ManagementContext, queryString: string) {
  const { before, limit } = readCursorPage(queryString, ['action', 'account', 'from', 'to']);
  const filter = readFilter(new URLSearchParams(queryString));
  const { control } = context;
  const { projectId } = projectIn(context);
  const look = { before, lookedAt: mostLookedAt };
  const found = await listOfProject(control, projectId, filter, { ...look, limit: limit + 1 });
  const end = found.length > limit ? undefined : await endOfLook(control, projectId, filter, look);
  return told(context, limit, found, end);
}

function readFilter(given: URLSearchParams): AuditFilter {
  const [action, accountId] = [given.get('action'), given.get('account')];
  if (accountId !== null && !isUuid(accountId))
    throw invalidQuery('account', 'It must be the id of an account.');
  const [from, to] = [readMoment(given, 'from'), readMoment(given, 'to')];
  return {
    ...(action !== null && { action }),
    ...(accountId !== null && { accountId }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

export async function readOwnAudit(context: ManagementContext, queryString: string) {
  const page = readCursorPage(queryString);
  const { id } = accountIn(context);
  return told(context, page.limit, await listOfAccount(context.control, id, oneMore(page)));
}

/** One more than the page has tells whether there is another. */
const oneMore = ({ before, limit }: ReturnType<typeof readCursorPage>) => ({ before, limit: limit + 1 });

async function told(
  { control }: ManagementContext,
  limit: number,
  found: readonly StoredEntry[],
  /** Where to look further, if fewer were found than a page has. */
  end?: string,
) {
  const entries = found.slice(0, limit);
  const accounts = await findAccounts(control, [
    ...new Set(entries.flatMap(({ accountId }) => accountId ?? [])),
  ]);
  const data = entries.map((entry) => ({
    ...entry,
    account: accounts.find(({ id }) => id === entry.accountId)?.email ?? null,
  }));
  const nextCursor = (found.length > limit ? entries.at(-1)?.id : end) ?? null;
  const hasMore = nextCursor !== null;
  const info: PageInfo = { total: undefined, totalIsFloor: false, limit, offset: 0, hasMore, nextCursor };
  return { data, info };
}
