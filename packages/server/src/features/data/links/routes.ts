import { Type } from 'typebox';
import {
  type Answer,
  ok,
  type ProjectRoutes,
  type RequestContext,
  routeGroup,
} from '../../../calls/index.ts';
import { type CollectionDirectory, collectionParams } from '../collections/index.ts';
import type { LinkCatalogue } from './link-catalogue.ts';
import { listLinkRecords } from './list-links.ts';
import { collectionLinkParams, droppedSchema, linkParams, linkSchema } from './schemas.ts';

interface LinkDeps {
  readonly collections: CollectionDirectory;
  readonly links: LinkCatalogue;
}

const listing = {
  method: 'GET',
  access: 'server',
  tag: 'Links',
  description:
    'A field becomes a link when the id of another record is written to it. `populate` and filters such as `author.role=editor` use this list.',
  answers: { status: 200, data: Type.Array(linkSchema) },
} as const;

const dropping = {
  method: 'DELETE',
  access: 'server',
  tag: 'Links',
  description: 'Documents keep their values. The next write of a link to this field adds it again.',
  answers: { status: 200, data: droppedSchema },
} as const;

/** Of app users, whose links are in `data`. */
const users = 0;

export function addLinkRoutes(routes: ProjectRoutes, { collections, links }: LinkDeps): void {
  const drop = async (context: RequestContext, number: number, field: string): Promise<Answer> => {
    await links.drop(context, number, field);
    return ok({ field, deleted: true });
  };
  const ofCollection = routeGroup({
    url: '/collections/:collection/links',
    scope: 'collections',
    failures: [404],
  });
  routes.add(
    ofCollection('', {
      ...listing,
      operationId: 'listLinks',
      summary: 'List the fields of a collection that contain links',
      params: collectionParams,
    }),
    async (context, { params }) => {
      const { number } = await collections.get(context, params.collection);
      return ok(await listLinkRecords(collections, context, number));
    },
  );
  routes.add(
    ofCollection('/:field', {
      ...dropping,
      operationId: 'dropLink',
      summary: 'Forget that a field contains links',
      params: collectionLinkParams,
    }),
    async (context, { params }) => {
      const { number } = await collections.get(context, params.collection);
      return drop(context, number, params.field);
    },
  );

  const ofUsers = routeGroup({
    url: '/auth-collections/users/links',
    // It names collections.
    scope: ['users', 'collections'],
    isSecret: true,
  });
  routes.add(
    ofUsers('', {
      ...listing,
      operationId: 'listUserLinks',
      summary: 'List the fields of app users that contain links',
    }),
    async (context) => ok(await listLinkRecords(collections, context, users)),
  );
  routes.add(
    ofUsers('/:field', {
      ...dropping,
      operationId: 'dropUserLink',
      summary: 'Forget that a field of app users contains links',
      params: linkParams,
      failures: [404],
    }),
    (context, { params }) => drop(context, users, params.field),
  );
}
