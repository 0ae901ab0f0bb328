import type { Collection } from '../collections/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { type CheckedQuery, readQuery, refuseOthers } from '../query/index.ts';
import type { View } from './present.ts';
import type { DocumentServices } from './services.ts';

/** The `select` and `populate` of a single read, which takes no other parameter. */
export async function readView(
  { scopes }: Pick<DocumentServices, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  queryString: string,
): Promise<View> {
  if (queryString === '') return {};
  refuseOthers(queryString, ['select', 'populate']);
  return viewOf(await readQuery(queryString, await scopes.documents(context, collection)));
}

export function viewOf({ select, populate }: CheckedQuery): View {
  return { ...(select && { select }), populate };
}
