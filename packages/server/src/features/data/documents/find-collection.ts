import { type Answer, type RequestContext, routeGroup } from '../../../calls/index.ts';
import { andThen, type NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import { type Collection, collectionNotFound } from '../collections/index.ts';
import { signInRequired } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';

/** The collection a call is about. Someone without a credential is not told which collections there are. */
export function findCollectionFor(
  { collections }: Pick<DocumentDeps, 'collections'>,
  context: RequestContext,
  nameOrId: string,
): NowOrLater<Collection> {
  return andThen(collections.find(context, nameOrId), (collection) => {
    if (collection) return collection;
    const { isTrusted, user } = context.principal;
    throw isTrusted || user ? collectionNotFound(nameOrId) : signInRequired();
  });
}

/** A route of the documents of a collection. */
export const route = routeGroup({
  url: '/collections/:collection',
  access: 'anyone',
  scope: 'collection',
  tag: 'Documents',
});

/** Finds the collection that the path names, for a handler. */
export function inCollection<Input extends { readonly params: { readonly collection: string } }>(
  deps: DocumentDeps,
  handle: (context: RequestContext, collection: Collection, input: Input) => NowOrLater<Answer>,
) {
  return (context: RequestContext, input: Input): NowOrLater<Answer> =>
    andThen(findCollectionFor(deps, context, input.params.collection), (collection) =>
      handle(context, collection, input),
    );
}
