import { type Static, Type } from 'typebox';
import { type Answer, ok } from '../../platform/http/answer.ts';
import { Sharing } from '../../platform/sharing.ts';
import { type Collection, collectionParams, deletedSchema } from '../collections/index.ts';
import type {
  FilledForm,
  IncomingForm,
  ProjectRoute,
  ProjectRoutes,
  RequestContext,
  RouteInput,
} from '../projects/index.ts';
import { readCountWish } from '../query/index.ts';
import { requireOpen } from '../rules/index.ts';
import { filesOf, readDocumentForm } from '../storage/index.ts';
import { changeDocument, deleteDocument, deleteDocuments, patchDocuments } from './change-documents.ts';
import { readIfMatch } from './conditions.ts';
import { createDocument, createDocuments } from './create-documents.ts';
import type { Fields } from './document.ts';
import { explainAccess } from './explain-access.ts';
import { findCollectionFor } from './find-collection.ts';
import { listDocuments } from './list-documents.ts';
import { listAnswer, oneAnswer, present, severalAnswer } from './present.ts';
import { getDocument } from './read-documents.ts';
import {
  batchCreateBody,
  batchDeleteBody,
  batchDeletedSchema,
  batchUpdateBody,
  documentParams,
  documentReference,
  explainBody,
  explanationSchema,
  fieldsBody,
  listParameters,
  patchBody,
  readParameters,
} from './schemas.ts';
import type { DocumentServices } from './services.ts';
import { readView, viewOf } from './view.ts';

type Handler = (context: RequestContext, collection: Collection, input: RouteInput) => Promise<Answer>;
type Add = (route: Omit<ProjectRoute, 'access' | 'tag'> & { access?: 'server' }, handle: Handler) => void;

export function addDocumentRoutes(routes: ProjectRoutes, services: DocumentServices): void {
  const add: Add = (route, handle) => {
    routes.add({ access: 'anyone', ...route, tag: 'Documents' }, async (context, input) =>
      handle(context, await findCollectionFor(services, context, input.params.collection!), input),
    );
  };
  addReads(add, services);
  addWrites(add, services);
  addBatches(add, services);
}

const one = { status: 200, data: documentReference } as const;

/** Lists that are being read, by the collection as it was known when they were asked for. */
const listsOf = new WeakMap<Collection, Sharing<Answer>>();

function sharedLists(collection: Collection): Sharing<Answer> {
  const lists = listsOf.get(collection) ?? new Sharing<Answer>();
  listsOf.set(collection, lists);
  return lists;
}

function addReads(add: Add, services: DocumentServices): void {
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
      const wish = readCountWish(headers);
      const answer = async () => {
        const list = await listDocuments(services, context, collection, { queryString, wish });
        const { items, page, all, query } = list;
        const texts = await present(services, context, collection, items, viewOf(query));
        return listAnswer(context, collection, { texts, page, documentCount: all });
      };
      // All who call with the key see the same; each user may see something else.
      return context.principal.isTrusted
        ? sharedLists(collection).run(`${wish}?${queryString}`, answer)
        : answer();
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
      const document = await getDocument(services, context, collection, params.id!);
      const view = await readView(services, context, collection, queryString);
      const [text] = await present(services, context, collection, [document], view);
      return oneAnswer(200, document, text!);
    },
  );

  add(
    {
      method: 'POST',
      url: '/collections/:collection/explain',
      access: 'server',
      operationId: 'explainAccess',
      summary: 'Say what the rules answer to a user, and why',
      params: collectionParams,
      body: explainBody,
      answers: { status: 200, data: explanationSchema },
      failures: [400, 404],
    },
    async (context, collection, { body }) =>
      ok(await explainAccess(services, context, collection, body as Static<typeof explainBody>)),
  );
}

function addWrites(add: Add, services: DocumentServices): void {
  add(
    {
      method: 'POST',
      url: '/collections/:collection',
      operationId: 'createDocument',
      summary: 'Create a document',
      params: collectionParams,
      description: withFiles,
      body: fieldsBody,
      readForm: readFormFor(services, 'create'),
      answers: { status: 201, data: documentReference },
      failures: [400, 404, 413],
    },
    async (context, collection, input) => {
      const document = await createDocument(services, context, collection, {
        body: input.body as Fields,
        files: filesOf(input),
      });
      const [text] = await present(services, context, collection, [document]);
      return oneAnswer(201, document, text!);
    },
  );

  const change =
    (isReplacement: boolean): Handler =>
    async (context, collection, input) => {
      const document = await changeDocument(services, context, collection, input.params.id!, {
        body: input.body as Fields,
        ifMatch: readIfMatch(input.headers),
        isReplacement,
        files: filesOf(input),
      });
      const [text] = await present(services, context, collection, [document]);
      return oneAnswer(200, document, text!);
    };
  const changing = {
    url: '/collections/:collection/:id',
    description: withFiles,
    params: documentParams,
    readForm: readFormFor(services, 'update'),
    answers: one,
  } as const;

  add(
    {
      ...changing,
      method: 'PATCH',
      operationId: 'patchDocument',
      summary: 'Change some fields of a document',
      body: patchBody,
      failures: [400, 404, 413],
    },
    change(false),
  );

  add(
    {
      ...changing,
      method: 'PUT',
      operationId: 'replaceDocument',
      summary: 'Replace all fields of a document',
      body: fieldsBody,
      failures: [400, 404, 413],
    },
    change(true),
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
      await deleteDocument(services, context, collection, params.id!, readIfMatch(headers));
      return ok({ id: params.id!, deleted: true });
    },
  );
}

const withFiles =
  'As multipart/form-data: the part `data` holds the JSON, and each file part sets the field it is named by to the file’s URL; several of one name make an array.';

/** Reads a form for those who may write to the collection at all: others are refused before their files travel. */
function readFormFor(services: DocumentServices, action: 'create' | 'update') {
  return async (context: RequestContext, form: IncomingForm): Promise<FilledForm> => {
    requireOpen(context, await findCollectionFor(services, context, form.params.collection!), action);
    return readDocumentForm(services.storage, context, form);
  };
}

function addBatches(add: Add, services: DocumentServices): void {
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
      const created = await createDocuments(services, context, collection, documents);
      return severalAnswer(201, await present(services, context, collection, created));
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
      const changed = await patchDocuments(services, context, collection, updates);
      return severalAnswer(200, await present(services, context, collection, changed));
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
      ok(await deleteDocuments(services, context, collection, (body as Static<typeof batchDeleteBody>).ids)),
  );
}
