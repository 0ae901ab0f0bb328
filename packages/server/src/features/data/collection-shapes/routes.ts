import type { ProjectRoutes } from '../../../calls/index.ts';
import { type CollectionDirectory, collectionParams } from '../collections/index.ts';
import { CollectionShapes } from './read-shape.ts';
import { shapeSchema } from './schemas.ts';

export function addShapeRoutes(routes: ProjectRoutes, directory: CollectionDirectory): void {
  const shapes = new CollectionShapes(directory);
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
        'Looks at up to 1,000 documents, from the oldest to the newest, and tells their fields: types, how many have them, examples, links. The answer may be a minute old.',
      params: collectionParams,
      answers: { status: 200, data: shapeSchema },
      failures: [404],
    },
    async (context, { params }) => ({ status: 200, data: await shapes.read(context, params.collection) }),
  );
}
