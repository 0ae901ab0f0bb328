import { type Answer, type RequestContext, routeGroup } from '../../../calls/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Collection } from '../collections/index.ts';
import { signInRequired } from '../rules/index.ts';
import type { DocumentDeps } from './deps.ts';

/** The collection a call is about. Someone without a credential is not told which collections there are. */
export async function findCollectionFor(
  { collections }: Pick<DocumentDeps, 'collections'>,
  context: RequestContext,
  nameOrId: string,
): Promise<Collection> {
  try {
    return await collections.get(context, nameOrId);
  } catch (error) {
    const isAnonymous = !context.principal.isTrusted && !context.principal.user;
    if (isAnonymous && error instanceof AppError) throw signInRequired();
    throw error;
  }
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
  handle: (context: RequestContext, collection: Collection, input: Input) => Promise<Answer>,
) {
  return async (context: RequestContext, input: Input): Promise<Answer> =>
    handle(context, await findCollectionFor(deps, context, input.params.collection), input);
}
