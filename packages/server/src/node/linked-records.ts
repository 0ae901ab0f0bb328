import { ByteBudget, isInScope, type RequestContext, type SignedInUser } from '../calls/index.ts';
import { type Collection, type CollectionDirectory } from '../features/data/collections/index.ts';
import { present, readLinkedDocuments } from '../features/data/documents/index.ts';
import { type LoadLinked } from '../features/data/links/index.ts';
import { type ReadingScopes } from '../features/data/rules/index.ts';
import { getUser, projectedUser, readLinkedUsers } from '../features/people/user-records/index.ts';

/** Reads the records behind links, of documents and app users alike, as the caller may see them. */
export function linkedLoader(
  collections: CollectionDirectory,
  scopes: ReadingScopes,
): (context: RequestContext) => LoadLinked {
  const loadLinked = (context: RequestContext): LoadLinked => {
    const loadUsers = async (ids: readonly string[], bytes: number): Promise<[string, string][]> => {
      if (!isInScope(context.principal, { area: 'users', action: 'read' })) return [];
      return (await readLinkedUsers(context, ids, bytes)).map((user) => [
        user.id,
        JSON.stringify(projectedUser(user, context.principal)),
      ]);
    };
    const loadDocuments = async (
      collection: Collection,
      ids: readonly string[],
      bytes: number,
    ): Promise<[string, string][]> => {
      const documents = await readLinkedDocuments({ scopes }, context, collection, { ids, bytes });
      const texts = await present({ loadLinked }, context, collection, documents);
      return documents.map(({ id }, at) => [id, texts[at]!]);
    };
    return async (wanted, bytes) => {
      const found = await collections.findByNumbers(
        context,
        [...wanted.keys()].filter((number) => number !== 0),
      );
      const budget = new ByteBudget(bytes);
      const loaded = new Map<string, string>();
      const add = (part: readonly [string, string][]) => {
        for (const [id, text] of part) {
          budget.spend(text.length);
          loaded.set(id, text);
        }
      };
      // One after the other: each may read what the others have left, and a call has one connection at a time.
      if (wanted.has(0)) add(await loadUsers([...wanted.get(0)!], budget.left + 1));
      for (const collection of found)
        add(await loadDocuments(collection, [...wanted.get(collection.number)!], budget.left + 1));
      return loaded;
    };
  };
  return loadLinked;
}

/** A user as it would be if it made a call, to explain what the rules say to it. */
export async function getUserAsCaller(context: RequestContext, id: string): Promise<SignedInUser> {
  const user = await getUser(context, id);
  return { ...user, sessionId: '', profile: async () => user };
}
