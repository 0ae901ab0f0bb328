import { Type } from 'typebox';
import {
  type CallGuards,
  type FilledForm,
  type IncomingForm,
  ok,
  type ProjectRoutes,
  type RequestContext,
  type RouteInput,
  withWarnings,
} from '../../../calls/index.ts';
import { filesOf, readDocumentForm } from '../../files/index.ts';
import { collectionParams, deletedSchema } from '../collections/index.ts';
import { dottedNames, parseFields } from '../records/index.ts';
import { type Action, requireOpen } from '../rules/index.ts';
import { checkBatchSize } from './batch.ts';
import { changeDocument, type GuardedChange, patchDocuments } from './change-documents.ts';
import { createDocument, createDocuments } from './create-documents.ts';
import { deleteDocument, deleteDocuments } from './delete-documents.ts';
import type { DocumentDeps } from './deps.ts';
import { findCollectionFor, inCollection, route } from './find-collection.ts';
import { guardChanges, guardCreates, guardDeletes } from './guard-writes.ts';
import { readIfMatch } from './if-match.ts';
import { oneAnswer, present, severalAnswer } from './present.ts';
import {
  batchCreateBody,
  batchDeleteBody,
  batchDeletedSchema,
  batchUpdateBody,
  documentForm,
  documentParams,
  documentReference,
  fieldsBody,
  patchBody,
} from './schemas.ts';

type ChangeInput<Guarded = undefined> = RouteInput<
  typeof documentParams,
  typeof patchBody,
  FilledForm,
  undefined,
  Guarded
>;

/** Beside the documents of a batch. */
const mostWarnings = 10;

export function addWrites(routes: ProjectRoutes, deps: DocumentDeps): void {
  routes.add(
    route('', {
      method: 'POST',
      claimsKey: true,
      operationId: 'createDocument',
      summary: 'Create a document',
      params: collectionParams,
      description: `Returns the document with its id. ${withFiles}`,
      body: fieldsBody,
      form: documentForm,
      readForm: readFormFor(deps, 'create'),
      answers: { status: 201, data: documentReference, hasVersion: true },
      failures: [400, 404, 413],
      guard: async (context, { params, body }, guards) => {
        const asking = { bodies: [body], guards, isBatch: false };
        return (await guardCreates(deps, context, params.collection, asking))?.[0];
      },
    }),
    inCollection(deps, (context, collection, input) =>
      createDocument(deps, context, collection, {
        body: input.body,
        guarded: input.guarded,
        files: filesOf(input),
        answerWith: (document) => oneAnswer(deps, context, collection, { status: 201, document }),
      }),
    ),
  );

  const guardChange =
    (isReplacement: boolean) =>
    async (context: RequestContext, { params, body, headers }: ChangeInput, guards: CallGuards) => {
      const change = { id: params.id, body, ifMatch: readIfMatch(headers), isReplacement };
      const asking = { changes: [change], guards, isBatch: false };
      return (await guardChanges(deps, context, params.collection, asking))?.[0];
    };
  const change = (isReplacement: boolean) =>
    inCollection(deps, (context, collection, input: ChangeInput<GuardedChange | undefined>) =>
      changeDocument(deps, context, collection, {
        id: input.params.id,
        body: input.body,
        guarded: input.guarded,
        ifMatch: readIfMatch(input.headers),
        isReplacement,
        files: filesOf(input),
        answerWith: async (document) => {
          const answer = await oneAnswer(deps, context, collection, { status: 200, document });
          // Of what the caller may see of it.
          const warnings = isReplacement ? [] : dottedNames(input.body, () => parseFields(answer.data));
          return withWarnings(answer, warnings);
        },
      }),
    );
  const changing = {
    claimsKey: true,
    params: documentParams,
    headers: ['If-Match'],
    form: documentForm,
    readForm: readFormFor(deps, 'update'),
    answers: { status: 200, data: documentReference, hasVersion: true },
  } as const;

  routes.add(
    route('/:id', {
      ...changing,
      method: 'PATCH',
      operationId: 'patchDocument',
      summary: 'Change some fields of a document',
      description: `Fields that you do not send stay unchanged, even if others change them at the same time. Operators change a value without reading it first. ${withFiles}`,
      body: patchBody,
      failures: [400, 404, 413],
      guard: guardChange(false),
    }),
    change(false),
  );

  routes.add(
    route('/:id', {
      ...changing,
      method: 'PUT',
      operationId: 'replaceDocument',
      summary: 'Replace all fields of a document',
      description: `Fields that you do not send are removed; \`id\` and \`createdAt\` stay. ${withFiles}`,
      body: fieldsBody,
      failures: [400, 404, 413],
      guard: guardChange(true),
    }),
    change(true),
  );

  routes.add(
    route('/:id', {
      method: 'DELETE',
      claimsKey: true,
      operationId: 'deleteDocument',
      summary: 'Delete a document',
      description:
        'The files that were uploaded with it are deleted too. Links to it remain, but no longer resolve.',
      params: documentParams,
      headers: ['If-Match'],
      answers: { status: 200, data: deletedSchema },
      failures: [400, 404],
      guard: (context, { params }, guards) =>
        guardDeletes(deps, context, params.collection, { ids: [params.id], guards, isBatch: false }),
    }),
    inCollection(deps, (context, collection, { params, headers, guarded }) =>
      deleteDocument(deps, context, collection, { id: params.id, ifMatch: readIfMatch(headers), guarded }),
    ),
  );
}

const withFiles =
  'As multipart/form-data, the part `data` contains the JSON, and each file part sets the field of its name to the file’s URL; several parts of one name make an array.';

/** Others than those who may write to the collection at all are refused before what they send travels. */
function requireOpenTo(deps: DocumentDeps, action: Action) {
  return async (context: RequestContext, params: Readonly<Record<string, string>>): Promise<void> =>
    requireOpen(context, await findCollectionFor(deps, context, params.collection ?? ''), action);
}

function readFormFor(deps: DocumentDeps, action: 'create' | 'update') {
  const check = requireOpenTo(deps, action);
  return async (context: RequestContext, form: IncomingForm): Promise<FilledForm> => {
    await check(context, form.params);
    return readDocumentForm(deps.storage, context, form);
  };
}

export function addBatches(routes: ProjectRoutes, deps: DocumentDeps): void {
  const shared = {
    method: 'POST',
    params: collectionParams,
    checkItems: checkBatchSize,
    failures: [400, 404, 413],
  } as const;

  routes.add(
    route('/batch', {
      ...shared,
      operationId: 'createDocuments',
      beforeBody: requireOpenTo(deps, 'create'),
      summary: 'Create up to 1,000 documents, all or none',
      description:
        'Returns them in the order they were sent. If one is rejected, none is created, and `details.index` says which one it was.',
      body: batchCreateBody,
      answers: { status: 201, data: Type.Array(documentReference) },
      guard: (context, { params, body }, guards) =>
        guardCreates(deps, context, params.collection, { bodies: body.documents, guards, isBatch: true }),
    }),
    inCollection(deps, async (context, collection, { body, guarded }) => {
      const { documents } = body;
      const created = await createDocuments(deps, context, collection, documents, guarded);
      return severalAnswer(201, await present(deps, context, collection, created));
    }),
  );

  routes.add(
    route('/batch-update', {
      ...shared,
      operationId: 'patchDocuments',
      beforeBody: requireOpenTo(deps, 'update'),
      summary: 'Change up to 1,000 documents, all or none',
      description:
        'Each item is a PATCH with the `id` of its document. If one is rejected, nothing is changed, and `details.index` says which one it was.',
      body: batchUpdateBody,
      answers: { status: 200, data: Type.Array(documentReference) },
      guard: (context, { params, body }, guards) => {
        const changes = body.updates.map((body) => ({ id: body.id, body, isReplacement: false }));
        return guardChanges(deps, context, params.collection, { changes, guards, isBatch: true });
      },
    }),
    inCollection(deps, async (context, collection, { body, guarded }) => {
      const { updates } = body;
      const changed = await patchDocuments(deps, context, collection, updates, guarded);
      const texts = await present(deps, context, collection, changed);
      const warnings = updates.flatMap((update, at) =>
        dottedNames(update, () => parseFields(texts[at] ?? '{}')),
      );
      return withWarnings(severalAnswer(200, texts), [...new Set(warnings)].slice(0, mostWarnings));
    }),
  );

  routes.add(
    route('/batch-delete', {
      ...shared,
      operationId: 'deleteDocuments',
      beforeBody: requireOpenTo(deps, 'delete'),
      summary: 'Delete up to 1,000 documents',
      description:
        'Ids without a document are not an error: they are listed in `missing`. If the caller is not allowed to delete one, none is deleted.',
      body: batchDeleteBody,
      answers: { status: 200, data: batchDeletedSchema },
      guard: (context, { params, body }, guards) =>
        guardDeletes(deps, context, params.collection, { ids: body.ids, guards, isBatch: true }),
    }),
    inCollection(deps, async (context, collection, { body, guarded }) =>
      ok(await deleteDocuments(deps, context, collection, body.ids, guarded)),
    ),
  );
}
