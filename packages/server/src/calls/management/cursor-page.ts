import { invalidQuery } from '../errors.ts';
import { refuseOthers } from '../parameters.ts';

const usual = 50;
const most = 100;

/** Reads `limit` and `cursor` of a list that is ordered by falling ids. */
export function readCursorPage(
  queryString: string,
  others: readonly string[] = [],
): { limit: number; before: string | undefined } {
  refuseOthers(queryString, ['limit', 'cursor', ...others]);
  const given = new URLSearchParams(queryString);
  const limit = given.get('limit') ?? String(usual);
  const cursor = given.get('cursor') ?? undefined;
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > most)
    throw invalidQuery('limit', `It must be 1 to ${most} entries.`);
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
    throw invalidQuery('cursor', 'Send the nextCursor of the previous page, unchanged.');
  return { limit: Number(limit), before: cursor };
}
