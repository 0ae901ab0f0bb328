import type { Client, Reply } from '../../support/client.ts';
import { populatedNames, type Sight } from './expected.ts';
import { type Fields, queryOf, type RuleCondition, type World } from './model.ts';

export interface Collections {
  readonly posts: string;
  readonly teams: string;
}

/** What the service itself shows a caller of a world, asked in every way there is. */
export async function serviceSight(
  client: Client,
  collections: Collections,
  world: World,
  filter: readonly RuleCondition[],
  orderBy: string,
): Promise<Sight & { readonly single: Pick<Sight, 'posts' | 'teams'> }> {
  const posts = (query: string) => pages(client, `/collections/${collections.posts}?${query}`, world.posts);
  const populate = populatedNames.map((name) => `populate=${name}`).join('&');
  const [listed, teams, populated, related, singlePosts, singleTeams] = await Promise.all([
    posts(`limit=3&orderBy=${orderBy}`),
    pages(client, `/collections/${collections.teams}?limit=100`, world.teams),
    posts(`limit=100&${populate}`),
    posts(`limit=100&${queryOf(filter)}`),
    singles(client, collections.posts, world.posts),
    singles(client, collections.teams, world.teams),
  ]);
  if (populated === 'refused' || listed === 'refused' || teams === 'refused')
    throw new Error('A list was refused.');
  return {
    posts: idsIn(listed),
    teams: idsIn(teams),
    populated,
    related: related === 'refused' ? related : idsIn(related),
    single: { posts: singlePosts, teams: singleTeams },
  };
}

const idsIn = (documents: readonly Fields[] | 'closed') =>
  documents === 'closed' ? documents : documents.map(({ id }) => String(id));

/** All pages of a list, in the order of the documents; its total must be what was found. */
async function pages(
  client: Client,
  path: string,
  documents: World['posts'],
): Promise<readonly Fields[] | 'closed' | 'refused'> {
  const found: Fields[] = [];
  let cursor = '';
  for (let page = 0; page <= documents.length; page += 1) {
    const reply = await client.get(`${path}${cursor}`);
    const refusal = refusalOf(reply);
    if (refusal) return refusal;
    found.push(...reply.body.data);
    if (reply.body.nextCursor === null) {
      if (reply.body.total !== found.length || reply.body.hasMore)
        throw new Error(`${path}: ${found.length} documents, but the total is ${reply.body.total}`);
      const places = new Map(documents.map(({ id }, at) => [id, at]));
      return found.toSorted((a, b) => places.get(String(a.id))! - places.get(String(b.id))!);
    }
    cursor = `&cursor=${encodeURIComponent(reply.body.nextCursor)}`;
  }
  throw new Error(`${path}: the cursors lead on and on`);
}

function refusalOf({ status, body, text }: Reply): 'closed' | 'refused' | undefined {
  if (status === 200) return undefined;
  const code = body?.error?.code;
  if (status === 400 && code === 'field_not_readable') return 'refused';
  if ((status === 401 && code === 'credential_required') || (status === 403 && code === 'rule_denied'))
    return 'closed';
  throw new Error(`${status} ${text}`);
}

/** The documents that a single read gives; closed where someone without a credential is told to sign in. */
async function singles(client: Client, collection: string, documents: World['posts']) {
  const replies = await Promise.all(
    documents.map(async ({ id }) => client.get(`/collections/${collection}/${id}`)),
  );
  for (const { status, text } of replies)
    if (![200, 401, 404].includes(status)) throw new Error(`${status} ${text}`);
  if (replies.length > 0 && replies.every(({ status }) => status === 401)) return 'closed';
  return documents.filter((_, at) => replies[at]!.status === 200).map(({ id }) => id);
}
