import { Type } from 'typebox';
import { created, ok, type ProjectRoutes } from '../../../calls/index.ts';
import { collectionParams, deletedSchema } from '../collections/index.ts';
import { adviceSchema, listAdvice } from '../query-shapes/index.ts';
import { createIndex, type IndexDeps } from './create-index.ts';
import { dropIndex } from './drop-index.ts';
import { listAllIndexes } from './list-indexes.ts';
import { indexParams, indexReference, newIndexBody } from './schemas.ts';

const tag = 'Indexes';

export function addIndexRoutes(routes: ProjectRoutes, deps: IndexDeps): void {
  const { directory } = deps;
  const url = '/collections/:collection/indexes';
  routes.add(
    {
      method: 'GET',
      url,
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'listIndexes',
      summary: 'List the indexes of a collection',
      description:
        'Requested indexes and those that the service created automatically, with their state, size and how often queries have used them.',
      params: collectionParams,
      answers: { status: 200, data: Type.Array(indexReference) },
      failures: [404],
    },
    async (context, { params }) => ok(await listAllIndexes(directory, context, params.collection)),
  );

  routes.add(
    {
      method: 'POST',
      url,
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'createIndex',
      summary: 'Create an index',
      description:
        'It is built while reads and writes continue; `state` shows the progress. A `unique` index fails if documents already have the same values.',
      params: collectionParams,
      body: newIndexBody,
      answers: { status: 201, data: indexReference },
      failures: [400, 404],
    },
    async (context, { params, body }) => created(await createIndex(deps, context, params.collection, body)),
  );

  routes.add(
    {
      method: 'GET',
      url: `${url}/advice`,
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'adviseIndexes',
      summary: 'See which queries run, how long they take, and what would help',
      description:
        'The kinds of queries that ran, the most frequent first, each with the index that serves it or would serve it.',
      params: collectionParams,
      answers: { status: 200, data: adviceSchema },
      failures: [404],
    },
    async (context, { params }) =>
      ok(await listAdvice(context, await directory.get(context, params.collection))),
  );

  routes.add(
    {
      method: 'DELETE',
      url: `${url}/:id`,
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'dropIndex',
      summary: 'Drop an index',
      description:
        'Queries still work without it, only slower. Without a `unique` index, duplicate values are allowed from then on.',
      params: indexParams,
      answers: { status: 200, data: deletedSchema },
      failures: [404],
    },
    async (context, { params }) => {
      await dropIndex(directory, context, params.collection, params.id);
      return ok({ id: params.id, deleted: true });
    },
  );
}
