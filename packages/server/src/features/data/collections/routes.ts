import { Type } from 'typebox';
import { created, ok, type ProjectRoutes, type Quotas, withWarnings } from '../../../calls/index.ts';
import { type CheckSettings, changeCollection, deleteCollection } from './change-collection.ts';
import { collectionRecord } from './collection.ts';
import type { CollectionDirectory } from './collection-directory.ts';
import { createCollection } from './create-collection.ts';
import { listAllCollections } from './list-collections.ts';
import {
  collectionChangesBody,
  collectionParams,
  collectionReference,
  deletedSchema,
  newCollectionBody,
} from './schemas.ts';

const tag = 'Collections';

interface CollectionDeps {
  readonly directory: CollectionDirectory;
  readonly quotas: Quotas;
  readonly onDeleted: () => void;
  readonly checkSettings: CheckSettings;
}

export function addCollectionRoutes(
  routes: ProjectRoutes,
  { directory, quotas, onDeleted, checkSettings }: CollectionDeps,
): void {
  routes.add(
    {
      method: 'POST',
      url: '/collections',
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'createCollection',
      summary: 'Create a collection',
      description:
        'Without rules it is locked: only the API key can read and write its documents. A rule that is probably not what you intend is saved, and `warnings` says why.',
      body: newCollectionBody,
      answers: { status: 201, data: collectionReference },
      failures: [400],
    },
    async (context, { body }) => {
      const { collection, warnings } = await createCollection({ quotas, checkSettings }, context, body);
      return withWarnings(created(collectionRecord(collection, 0)), warnings);
    },
  );

  routes.add(
    {
      method: 'GET',
      url: '/collections',
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'listCollections',
      summary: 'List the project’s collections',
      description: 'All of them on one page, unless there are more than 1,000, each with its settings.',
      query: [
        {
          name: 'limit',
          schema: Type.Integer({
            default: 1000,
            minimum: 1,
            maximum: 1000,
            description: 'Collections per page.',
          }),
        },
        {
          name: 'offset',
          schema: Type.Integer({ default: 0, minimum: 0, description: 'Collections to skip.' }),
        },
      ],
      answers: { status: 200, data: Type.Array(collectionReference), list: true },
      failures: [400],
    },
    (context, { queryString }) => listAllCollections(context, queryString),
  );

  routes.add(
    {
      method: 'PATCH',
      url: '/collections/:collection',
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'updateCollection',
      summary: 'Rename a collection or change its settings',
      description:
        'Settings that you do not send stay unchanged, and so do individual rules. New rules apply to every request from then on, including open connections.',
      params: collectionParams,
      body: collectionChangesBody,
      answers: { status: 200, data: collectionReference },
      failures: [400, 404],
    },
    async (context, { params, body }) => {
      const deps = { directory, checkSettings };
      const { record, warnings } = await changeCollection(deps, context, params.collection, body);
      return withWarnings(ok(record), warnings);
    },
  );

  routes.add(
    {
      method: 'DELETE',
      url: '/collections/:collection',
      access: 'server',
      scope: 'collections',
      tag,
      operationId: 'deleteCollection',
      summary: 'Delete a collection and its documents',
      description: 'Its documents, their files and its indexes are deleted too. This cannot be undone.',
      params: collectionParams,
      answers: { status: 200, data: deletedSchema },
      failures: [404],
    },
    async (context, { params }) => {
      const { id } = await deleteCollection(context, directory, params.collection);
      onDeleted();
      return ok({ id, deleted: true });
    },
  );
}
