import { invalidQuery, type RequestContext } from '../../../calls/index.ts';
import { type CountWish, everything, type ReadingScopes, readQuery, runList } from '../../data/index.ts';
import { countMatchingUsers, countUsers, listUsers } from './user-store.ts';

/** A page of users, with the filter language on their fields and `data.*`. */
export async function listAllUsers(
  { scopes }: { readonly scopes: ReadingScopes },
  context: RequestContext,
  { queryString, wish }: { queryString: string; wish: CountWish },
) {
  // One parameter of this list is older than the operators and is spelled with a single underscore.
  const spelled = queryString.replace(/(^|&)email_contains=/g, '$1email__contains=');
  const query = await readQuery(spelled, await scopes.users(context));
  if (query.select || query.populate.length > 0)
    throw invalidQuery(query.select ? 'select' : 'populate', 'This list does not take it.');
  const { db } = context;
  const list = await runList(
    query,
    everything,
    {
      page: async (page) =>
        (await listUsers(db, page)).map(({ user, sortValues }) => ({ item: user, id: user.id, sortValues })),
      count: ({ matching, upTo }) => countMatchingUsers(db, matching, upTo),
      countAll: () => countUsers(db),
    },
    wish,
  );
  return { users: list.items, page: list.page };
}
