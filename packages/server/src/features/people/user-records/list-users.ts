import { invalidQuery, type RequestContext } from '../../../calls/index.ts';
import { isTimeout } from '../../../platform/db/failures.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import {
  type Counting,
  type CountWish,
  everything,
  type PageSql,
  type ReadingScopes,
  readQuery,
  runList,
  tooManyQueries,
} from '../../data/index.ts';
import { usersTooSlow } from './errors.ts';
import { countMatchingUsers, countUsers, listUsers } from './user-store.ts';

/** A page of users, with the filter language on their fields and `data.*`. */
export async function listAllUsers(
  { scopes, scans }: { readonly scopes: ReadingScopes; readonly scans: Scans },
  context: RequestContext,
  { queryString, wish }: { queryString: string; wish: CountWish },
) {
  // One parameter of this list is older than the operators and is spelled with a single underscore.
  const spelled = queryString.replace(/(^|&)email_contains=/g, '$1email__contains=');
  const query = await readQuery(spelled, await scopes.users(context));
  if (query.select || query.populate.length > 0)
    throw invalidQuery(query.select ? 'select' : 'populate', 'This list does not support it.');
  // It may go through all users: projects take turns, as for lists of documents.
  const list = await scans.run(context.project, (db) =>
    runList(query, everything, sourceOf(db, context.db), wish).catch((error: unknown) => {
      throw isTimeout(error) ? usersTooSlow() : error;
    }),
  );
  if (!list) throw tooManyQueries();
  return { users: list.items, page: list.page };
}

function sourceOf(db: ProjectDb, counts: ProjectDb) {
  return {
    page: async (page: PageSql) => {
      const { users, isCut } = await listUsers(db, page);
      return { rows: users.map(({ user, sortValues }) => ({ item: user, id: user.id, sortValues })), isCut };
    },
    count: ({ matching, upTo }: Counting) => countMatchingUsers(db, matching, upTo),
    countAll: () => countUsers(counts),
  };
}
