import { queryLimits } from '@plinth/protocol';
import { Type } from 'typebox';
import {
  type Answer,
  ok,
  type ProjectRoutes,
  type RequestContext,
  type RouteInput,
} from '../../../calls/index.ts';
import { type Collection, collectionParams } from '../collections/index.ts';
import { readPreferences } from '../query/index.ts';
import type { DocumentDeps } from './deps.ts';
import { queryInAddress } from './errors.ts';
import { explainAccess } from './explain-access.ts';
import { inCollection, route } from './find-collection.ts';
import { listBacklinks } from './list-backlinks.ts';
import { listDocuments } from './list-documents.ts';
import { listAnswer, oneAnswer, present } from './present.ts';
import { projectionOf, readProjection } from './projection.ts';
import { getDocument } from './read-documents.ts';
import {
  backlinkParameters,
  backlinkSchema,
  documentParams,
  documentReference,
  explainBody,
  explanationSchema,
  listedCollection,
  listParameters,
  queryBody,
  readParameters,
} from './schemas.ts';
import { addBatches, addWrites } from './write-routes.ts';

export function addDocumentRoutes(routes: ProjectRoutes, deps: DocumentDeps): void {
  addReads(routes, deps);
  addWrites(routes, deps);
  addBatches(routes, deps);
}

const listing = {
  headers: ['Prefer'],
  answers: {
    status: 200,
    data: Type.Array(documentReference),
    list: true,
    hasVersions: true,
    beside: { collection: listedCollection },
  },
  failures: [400, 404],
} as const;

function addReads(routes: ProjectRoutes, deps: DocumentDeps): void {
  routes.add(
    route('', {
      method: 'GET',
      operationId: 'listDocuments',
      summary: 'List documents, and return the collection',
      description:
        'Every parameter that is not in the list below is a filter. App users get the documents that the read rule shows them. The record of the collection is next to `data` as `collection`. If a list is empty because it uses a field that no document ever had, `warnings` says so.',
      params: collectionParams,
      query: listParameters,
      ...listing,
    }),
    inCollection(deps, (context, collection, { queryString, headers }) =>
      answerList(deps, context, collection, { queryString, headers }),
    ),
  );

  routes.add(
    route('/query', {
      method: 'POST',
      isRead: true,
      operationId: 'queryDocuments',
      summary: 'List documents by a query that is too long for a URL',
      description:
        'The body is the query string of a list, such as `status=published&limit=50`, of at most 64 KB. Everything else is as in `GET /collections/{collection}`.',
      params: collectionParams,
      takesText: queryLimits.queryLength,
      body: queryBody,
      ...listing,
    }),
    inCollection(deps, (context, collection, { body, queryString, headers }) => {
      if (queryString !== '') throw queryInAddress();
      return answerList(deps, context, collection, { queryString: body.replace(/^\?/, '').trim(), headers });
    }),
  );

  routes.add(
    route('/:id', {
      method: 'GET',
      operationId: 'getDocument',
      summary: 'Read a document',
      description:
        'A document that the read rule hides from the caller is treated like one that does not exist. `ETag` has its version.',
      params: documentParams,
      query: readParameters,
      answers: { status: 200, data: documentReference, hasVersion: true },
      failures: [400, 404],
    }),
    inCollection(deps, async (context, collection, { params, queryString }) => {
      const document = await getDocument(deps, context, collection, params.id);
      const projection = await readProjection(deps, context, collection, queryString);
      return oneAnswer(deps, context, collection, { status: 200, document, projection });
    }),
  );

  routes.add(
    route('/backlinks/:id', {
      method: 'GET',
      access: 'server',
      // It names collections, and counts documents in every one of them.
      scope: ['collections', 'documents'],
      operationId: 'listBacklinks',
      summary: 'See which documents link to a document',
      description:
        'Each entry is a field of a collection in which documents contain the id of this one: how many there are, and the query that lists them. Only fields that are known to link to the collection are checked, up to 20 per request; fields in which no document links to this one are omitted, so a page may be short.',
      params: documentParams,
      query: backlinkParameters,
      answers: { status: 200, data: Type.Array(backlinkSchema), list: true },
      failures: [400, 404],
    }),
    inCollection(deps, (context, collection, { params, queryString }) =>
      listBacklinks(deps, context, collection, { id: params.id, queryString }),
    ),
  );

  routes.add(
    route('/explain', {
      method: 'POST',
      isRead: true,
      access: 'server',
      // A rule may look at a user, and through links at documents of every collection.
      scope: ['collections', 'documents', 'users'],
      operationId: 'explainAccess',
      summary: 'Explain what the rules allow a user, and why',
      description:
        'Evaluates the rules without changing anything: send `id` for a stored document, `document` for a hypothetical one (with `changes` for an update), or `query` for a list.',
      params: collectionParams,
      body: explainBody,
      answers: { status: 200, data: explanationSchema },
      failures: [400, 404],
    }),
    inCollection(deps, async (context, collection, { body }) =>
      ok(await explainAccess(deps, context, collection, body)),
    ),
  );
}

async function answerList(
  deps: DocumentDeps,
  context: RequestContext,
  collection: Collection,
  { queryString, headers }: Pick<RouteInput, 'queryString' | 'headers'>,
): Promise<Answer> {
  const { count: wish, versions } = readPreferences(headers, { hasVersions: true });
  const answer = async () => {
    const list = await listDocuments(deps, context, collection, { queryString, wish });
    const texts = await present(deps, context, collection, list.items, projectionOf(list.query));
    const answer = listAnswer(context, collection, { ...list, texts });
    return versions ? { ...answer, versions: list.items.map(({ version }) => version) } : answer;
  };
  // All who call with the API key see the same; each user, and each key with scopes, may see something else.
  const { isTrusted, key } = context.principal;
  return isTrusted && !key
    ? deps.sharedLists.run(collection, `${wish} ${versions}?${queryString}`, answer)
    : answer();
}
