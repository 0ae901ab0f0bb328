import type { PageInfo } from '../../../calls/index.ts';
import {
  accountIn,
  type ManagementContext,
  projectIn,
  readCursorPage,
} from '../../../calls/management/index.ts';
import { findAccounts } from '../accounts/index.ts';
import { listOfAccount, listOfProject, type StoredEntry } from './audit-store.ts';

export async function readProjectAudit(context: ManagementContext, queryString: string) {
  const page = readCursorPage(queryString);
  const { projectId } = projectIn(context);
  return told(context, page.limit, await listOfProject(context.control, projectId, oneMore(page)));
}

export async function readOwnAudit(context: ManagementContext, queryString: string) {
  const page = readCursorPage(queryString);
  const { id } = accountIn(context);
  return told(context, page.limit, await listOfAccount(context.control, id, oneMore(page)));
}

/** One more than the page has tells whether there is another. */
const oneMore = ({ before, limit }: ReturnType<typeof readCursorPage>) => ({ before, limit: limit + 1 });

async function told({ control }: ManagementContext, limit: number, found: readonly StoredEntry[]) {
  const entries = found.slice(0, limit);
  const accounts = await findAccounts(control, [
    ...new Set(entries.flatMap(({ accountId }) => accountId ?? [])),
  ]);
  const data = entries.map(({ accountId, ...entry }) => ({
    ...entry,
    account: accounts.find(({ id }) => id === accountId)?.email ?? null,
  }));
  const hasMore = found.length > limit;
  const nextCursor = hasMore ? (entries.at(-1)?.id ?? null) : null;
  const info: PageInfo = { total: undefined, totalIsFloor: false, limit, offset: 0, hasMore, nextCursor };
  return { data, info };
}
