import { AppError } from '../../platform/errors.ts';
import type { Collection } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { signInRequired } from '../rules/index.ts';
import type { DocumentServices } from './services.ts';

/** The collection a call is about. Someone without a credential is not told which collections there are. */
export async function findCollectionFor(
  { collections }: Pick<DocumentServices, 'collections'>,
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
