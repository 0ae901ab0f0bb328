import { type Static, Type } from 'typebox';
import { type Answer, ok } from '../../platform/http/answer.ts';
import {
  type Collection,
  type CollectionDirectory,
  collectionParams,
  deletedSchema,
} from '../collections/index.ts';
import type { ProjectRoute, ProjectRoutes, RequestContext, RouteInput } from '../projects/index.ts';
import { readQuery } from '../query/index.ts';
import {
  deleteDocument,
  deleteDocuments,
  patchDocument,
  patchDocuments,
  replaceDocument,
} from './change-documents.ts';
import { readCountWish, readIfMatch } from './conditions.ts';
import { createDocument, createDocuments } from './create-documents.ts';
import type { Fields } from './document.ts';
import { getDocument } from './get-document.ts';
import { listDocuments } from './list-documents.ts';
import { listAnswer, oneAnswer, severalAnswer } from './render.ts';
import {
  batchCreateBody,
  batchDeleteBody,
  batchDeletedSchema,
  batchUpdateBody,
  documentParams,
  documentReference,
  fieldsBody,
  listParameters,
  patchBody,
  readParameters,
} from './schemas.ts';
import { readSelection } from './selection.ts';

type Handler = (context: RequestContext, collection: Collection, input: RouteInput) => Promise<Answer>;

export function addDocumentRoutes(routes: ProjectRoutes, directory: CollectionDirectory): void {
  const add = (route: Omit<ProjectRoute, 'access' | 'tag'>, handle: Handler): void => {
    routes.add({ ...route, access: 'server', tag: 'Documents' }, async (context, input) =>
      handle(context, await directory.get(context, input.params.collection!), input),
    );
  };
  addSingle(add);
  addBatch(add);
}

type Add = (route: Omit<ProjectRoute, 'access' | 'tag'>, handle: Handler) => void;

const one = { status: 200, data: documentReference } as const;

function addSingle(add: Add): void {
  add(
    {
      method: 'POST',
      url: '/collections/:collection',
      operationId: 'createDocument',
      summary: 'Create a document',
      params: collectionParams,
      body: fieldsBody,
      answers: { status: 201, data: documentReference },
      failures: [400, 404, 413],
    },
    async (context, collection, { body }) =>
      oneAnswer(201, await createDocument(context, collection, body as Fields)),
  );

  add(
    {
      method: 'GET',
      url: '/collections/:collection',
      operationId: 'listDocuments',
      summary: 'List documents, and return the collection',
      description: 'The collection’s record stands beside `data` as `collection`.',
      params: collectionParams,
      query: listParameters,
      answers: { status: 200, data: Type.Array(documentReference), list: true },
      failures: [400, 404],
    },
    async (context, collection, { queryString, headers }) => {
      const query = readQuery(queryString);
      const list = await listDocuments(context, collection, query, readCountWish(headers));
      return listAnswer(list, collection, query.select);
    },
  );

  add(
    {
      method: 'GET',
      url: '/collections/:collection/:id',
      operationId: 'getDocument',
      summary: 'Read a document',
      params: documentParams,
      query: readParameters,
      answers: one,
      failures: [400, 404],
    },
    async (context, collection, { params, queryString }) => {
      const select = readSelection(queryString);
      return oneAnswer(200, await getDocument(context, collection, params.id!), select);
    },
  );

  add(
    {
      method: 'PATCH',
      url: '/collections/:collection/:id',
      operationId: 'patchDocument',
      summary: 'Change some fields of a document',
      params: documentParams,
      body: patchBody,
      answers: one,
      failures: [400, 404, 413],
    },
    async (context, collection, { params, body, headers }) => {
      const change = { body: body as Fields, ifMatch: readIfMatch(headers) };
      return oneAnswer(200, await patchDocument(context, collection, params.id!, change));
    },
  );

  add(
    {
      method: 'PUT',
      url: '/collections/:collection/:id',
      operationId: 'replaceDocument',
      summary: 'Replace all fields of a document',
      params: documentParams,
      body: fieldsBody,
      answers: one,
      failures: [400, 404, 413],
    },
    async (context, collection, { params, body, headers }) => {
      const change = { body: body as Fields, ifMatch: readIfMatch(headers) };
      return oneAnswer(200, await replaceDocument(context, collection, params.id!, change));
    },
  );

  add(
    {
      method: 'DELETE',
      url: '/collections/:collection/:id',
      operationId: 'deleteDocument',
      summary: 'Delete a document',
      params: documentParams,
      answers: { status: 200, data: deletedSchema },
      failures: [400, 404],
    },
    async (context, collection, { params, headers }) => {
      await deleteDocument(context, collection, params.id!, readIfMatch(headers));
      return ok({ id: params.id!, deleted: true });
    },
  );
}

function addBatch(add: Add): void {
  const shared = {
    method: 'POST',
    params: collectionParams,
    isBatch: true,
    failures: [400, 404, 413],
  } as const;

  add(
    {
      ...shared,
      url: '/collections/:collection/batch',
      operationId: 'createDocuments',
      summary: 'Create up to 1,000 documents, all or none',
      body: batchCreateBody,
      answers: { status: 201, data: Type.Array(documentReference) },
    },
    async (context, collection, { body }) => {
      const { documents } = body as { documents: Fields[] };
      return severalAnswer(201, await createDocuments(context, collection, documents));
    },
  );

  add(
    {
      ...shared,
      url: '/collections/:collection/batch-update',
      operationId: 'patchDocuments',
      summary: 'Change up to 1,000 documents, all or none',
      body: batchUpdateBody,
      answers: { status: 200, data: Type.Array(documentReference) },
    },
    async (context, collection, { body }) => {
      const { updates } = body as { updates: (Fields & { id: string })[] };
      return severalAnswer(200, await patchDocuments(context, collection, updates));
    },
  );

  add(
    {
      ...shared,
      url: '/collections/:collection/batch-delete',
      operationId: 'deleteDocuments',
      summary: 'Delete up to 1,000 documents',
      body: batchDeleteBody,
      answers: { status: 200, data: batchDeletedSchema },
    },
    async (context, collection, { body }) =>
      ok(await deleteDocuments(context, collection, (body as Static<typeof batchDeleteBody>).ids)),
  );
}
