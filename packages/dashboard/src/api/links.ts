import { queryOptions } from '@tanstack/react-query';
import { type CollectionRecord, collectionsQuery } from './collections.ts';
import { inTurn } from './in-turn.ts';
import { manage } from './management.ts';

const callsAtOnce = 12;

/** A field that was seen to hold ids of other records. */
interface LinkRecord {
  readonly field: string;
  readonly collections: readonly string[];
  readonly users: boolean;
}

/** One line of the map; `users` stands for app users. */
export interface MapLink {
  readonly from: string;
  readonly field: string;
  readonly to: string;
}

export interface ProjectMap {
  readonly collections: readonly CollectionRecord[];
  readonly links: readonly MapLink[];
}

/** What app users are called where collections have names; no collection can be called so. */
export const usersName = '@user';

function linesOf(from: string, records: readonly LinkRecord[]): MapLink[] {
  return records.flatMap(({ field, collections, users }) =>
    [...collections, ...(users ? [usersName] : [])].map((to) => ({ from, field, to })),
  );
}

/** How the collections of a project link to one another. */
export const mapQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'map'],
    queryFn: async ({ client, signal }): Promise<ProjectMap> => {
      const collections = await client.fetchQuery(collectionsQuery(ref));
      const linksAt = async (from: string, path: string) =>
        linesOf(from, await manage<readonly LinkRecord[]>(`/p/${ref}${path}/links`, { signal }));
      const [ofUsers, ofCollections] = await Promise.all([
        linksAt(usersName, '/auth-collections/users'),
        inTurn(collections, callsAtOnce, ({ name }) => linksAt(name, `/collections/${name}`)),
      ]);
      return { collections, links: [...ofCollections.flat(), ...ofUsers] };
    },
  });
