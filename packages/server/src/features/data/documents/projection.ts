import type { Path } from '@plinth/protocol';
import { type RequestContext, refuseOthers } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { Collection } from '../collections/index.ts';
import { type CheckedQuery, readQuery } from '../query/index.ts';
import type { DocumentDeps } from './deps.ts';

/** What the caller asked to see of a document. */
export interface Projection {
  readonly select?: readonly Path[];
  readonly populate?: readonly Path[];
}

/** The `select` and `populate` of a single read, which takes no other parameter. */
export function readProjection(
  { scopes }: Pick<DocumentDeps, 'scopes'>,
  context: RequestContext,
  collection: Collection,
  queryString: string,
): NowOrLater<Projection> {
  if (queryString === '') return {};
  refuseOthers(queryString, ['select', 'populate']);
  return scopes
    .documents(context, collection)
    .then((scope) => readQuery(queryString, scope))
    .then(projectionOf);
}

export function projectionOf({ select, populate }: CheckedQuery): Projection {
  return { ...(select && { select }), populate };
}
