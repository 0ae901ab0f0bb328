import type { Fields, ModelDocument, RuleCondition, World } from './model.ts';
import { type Caller, findRecord, type Oracle } from './oracle.ts';

/** What one caller is to see of a world; everything in the order of the documents. */
export interface Sight {
  /** The ids of the posts it may read; closed: the list is refused. */
  readonly posts: readonly string[] | 'closed';
  readonly teams: readonly string[] | 'closed';
  /** The posts with their links populated. */
  readonly populated: readonly Fields[] | 'closed';
  /** The posts that a filter through links finds; refused: it touches what the caller may not read. */
  readonly related: readonly string[] | 'closed' | 'refused';
}

export const populatedNames = ['team', 'teams', 'owner'];

/** What the caller should see, by an oracle. */
export function expectedSight(
  oracle: Oracle,
  world: World,
  caller: Caller,
  filter: readonly RuleCondition[],
): Sight {
  const readable = (collection: 'posts' | 'teams') =>
    world[collection].filter((document) => oracle.mayRead(world, collection, document, caller));
  const idsOf = (documents: readonly ModelDocument[]) => documents.map(({ id }) => id);
  const teams = oracle.isClosed(world, 'teams', caller) ? 'closed' : idsOf(readable('teams'));
  if (oracle.isClosed(world, 'posts', caller)) {
    return { posts: 'closed', teams, populated: 'closed', related: 'closed' };
  }
  const posts = readable('posts');
  return {
    posts: idsOf(posts),
    teams,
    populated: posts.map((post) => withLinks(oracle, world, post, caller)),
    related: isRefused(filter, teams === 'closed')
      ? 'refused'
      : idsOf(
          posts.filter((post) =>
            oracle.holdAll(world, { kind: 'posts', record: post }, filter, caller, ({ kind, record }) =>
              kind === 'teams'
                ? oracle.mayRead(world, 'teams', record as ModelDocument, caller)
                : kind === 'users',
            ),
          ),
        ),
  };
}

const isRefused = (filter: readonly RuleCondition[], isTeamClosed: boolean): boolean =>
  isTeamClosed && filter.some(({ paths }) => paths.some((path) => /^teams?\./.test(path)));

const isIdForm = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);

function withLinks(oracle: Oracle, world: World, post: ModelDocument, caller: Caller): Fields {
  const shown: Fields = { ...post };
  for (const name of populatedNames) {
    const value = post[oracle.relationField(post, name) ?? ''];
    const linked = (id: string) => linkedRecord(oracle, world, id, caller);
    if (isIdForm(value)) shown[name] = linked(value);
    if (Array.isArray(value) && value.some(isIdForm)) {
      const records = value.map((element: unknown) => (isIdForm(element) ? linked(element) : element));
      shown[name] = records.filter((record) => record !== null);
    }
  }
  return shown;
}

/** A linked record as the caller may see it; null where it is gone or not to be read. */
function linkedRecord(oracle: Oracle, world: World, id: string, caller: Caller): Fields | null {
  const found = findRecord(world, id);
  if (!found) return null;
  if (found.kind === 'users') {
    const { role, data, createdAt } = found.record as { role: string; data: Fields; createdAt: string };
    const { private: _, ...open } = data;
    return { id, role, data: open, createdAt };
  }
  const document = found.record as ModelDocument;
  return found.kind === 'teams' && showsLinked(oracle, world, document, caller) ? document : null;
}

function showsLinked(oracle: Oracle, world: World, document: ModelDocument, caller: Caller): boolean {
  return oracle.populates
    ? oracle.populates(world, document, caller)
    : oracle.mayRead(world, 'teams', document, caller);
}
