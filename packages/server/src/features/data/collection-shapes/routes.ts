import { Type } from 'typebox';
import type { ProjectRoutes } from '../../../calls/index.ts';
import { collectionParams } from '../collections/index.ts';
import { findMismatches, type MismatchDeps } from './find-mismatches.ts';
import { CollectionShapes } from './read-shape.ts';
import { mismatchSchema, shapeSchema } from './schemas.ts';

export function addShapeRoutes(routes: ProjectRoutes, deps: MismatchDeps): void {
  const shapes = new CollectionShapes(deps.directory);
  routes.add(
    {
      method: 'GET',
      url: '/collections/:collection/shape',
      access: 'server',
      // It shows values of documents too.
      scope: ['collections', 'collection'],
      tag: 'Collections',
      operationId: 'getShape',
      summary: 'See which fields documents have',
      description:
        'Samples up to 1,000 documents, from the oldest to the newest, and describes their fields: types, how many have them, examples, links. The response may be a minute old.',
      params: collectionParams,
      answers: { status: 200, data: shapeSchema },
      failures: [404],
    },
    async (context, { params }) => ({ status: 200, data: await shapes.read(context, params.collection) }),
  );
  routes.add(
    {
      method: 'GET',
      url: '/collections/:collection/mismatches',
      access: 'server',
      // What is wrong with a document says something of its values.
      scope: ['collections', 'collection'],
      tag: 'Collections',
      operationId: 'listMismatches',
      summary: 'Find stored documents that do not match the schema',
      description:
        'Validates the documents of the collection against its schema, the oldest first: up to 1,000, or as many as there is time for. Continue with `nextCursor` to check all; a page may be empty and still have one. Without a schema, every document matches.',
      params: collectionParams,
      query: [
        { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the previous page.' }) },
      ],
      answers: { status: 200, data: Type.Array(mismatchSchema), list: true, beside: { checked } },
      failures: [404],
    },
    (context, { params, queryString }) => findMismatches(deps, context, params.collection, queryString),
  );
}

const checked = Type.Integer({
  description: 'The number of documents this request has checked.',
  examples: [42],
});
