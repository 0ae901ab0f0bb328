import type { Client } from '../support/client.ts';
import { upload } from '../support/files/forms.ts';
import { newPerson } from '../support/people/people.ts';
import type { TestApp } from '../support/test-app.ts';
import { flowRoutes } from './flow-routes.ts';
import { pageRoutes } from './page-routes.ts';
import type { RouteRow, Things } from './route-row.ts';

export type { Things } from './route-row.ts';

const unique = () => `made_${Math.random().toString(36).slice(2)}`;
const open = { access: 'open', status: 200 } as const;
const server = { access: 'server', status: 200 } as const;
const user = { access: 'user', status: 200 } as const;
const credential = { access: 'credential', status: 200 } as const;
/** Calls of the tus protocol must say its version. */
const tus = { access: 'credential', status: 412 } as const;
const noUpload = { access: 'credential', status: 404 } as const;
/** The projects of the test have no identity provider. */
const noProvider = { access: 'anyone', status: 404 } as const;
/** The projects of the test have no code. */
const noFunction = { access: 'anyone', status: 404 } as const;
const documents = { access: 'documents', status: 200, toUsers: 403 } as const;
const changed = () => ({ changed: true });

/** Who may call what. A route that is not here fails the test that reads the live list. */
export const routeTable: Readonly<Record<string, RouteRow>> = {
  'GET /': open,
  'GET /healthz': open,
  'GET /readyz': open,
  'GET /openapi.json': open,
  'GET /.well-known/jwks.json': open,
  'GET /docs': open,
  'GET /docs/*': open,
  'GET /configuration': server,
  'PUT /configuration': { ...server, body: () => ({ allowedOrigins: [] }) },
  'POST /collections': { ...server, status: 201, body: () => ({ name: unique() }) },
  'GET /collections': server,
  'PATCH /collections/:collection': { ...server, names: 'collection', body: () => ({ name: unique() }) },
  'DELETE /collections/:collection': { ...server, names: 'collection' },
  'POST /collections/:collection/explain': {
    ...server,
    names: 'collection',
    body: () => ({ as: null, action: 'read' }),
  },
  'GET /collections/:collection/indexes': { ...server, names: 'collection' },
  'GET /collections/:collection/indexes/advice': { ...server, names: 'collection' },
  'POST /collections/:collection/indexes': {
    ...server,
    status: 201,
    names: 'collection',
    body: () => ({ fields: [unique()], kind: 'sort' }),
  },
  'DELETE /collections/:collection/indexes/:id': { ...server, status: 404, names: 'collection' },
  'GET /collections/:collection/shape': { ...server, names: 'collection' },
  'GET /collections/:collection/mismatches': { ...server, names: 'collection' },
  'POST /collections/:collection/query': { ...documents, names: 'collection', body: () => 'limit=1' },
  'GET /collections/:collection/links': { ...server, names: 'collection' },
  'DELETE /collections/:collection/links/:field': { ...server, status: 404, names: 'collection' },
  'POST /collections/:collection': { ...documents, status: 201, names: 'collection', body: changed },
  'GET /collections/:collection': { ...documents, names: 'collection' },
  'GET /collections/:collection/:id': { ...documents, toUsers: 404, names: 'document' },
  'GET /collections/:collection/backlinks/:id': { ...server, names: 'document' },
  'PATCH /collections/:collection/:id': { ...documents, names: 'document', body: changed },
  'PUT /collections/:collection/:id': { ...documents, names: 'document', body: changed },
  'DELETE /collections/:collection/:id': { ...documents, names: 'document' },
  'POST /collections/:collection/batch': {
    ...documents,
    status: 201,
    names: 'collection',
    body: () => ({ documents: [changed()] }),
  },
  'POST /collections/:collection/batch-update': {
    ...documents,
    names: 'documents',
    body: ({ id }) => ({ updates: [{ id, changed: true }] }),
  },
  'POST /collections/:collection/batch-delete': {
    ...documents,
    names: 'documents',
    body: ({ id }) => ({ ids: [id] }),
  },
  'POST /auth-collections/signup': {
    access: 'anyone',
    status: 201,
    body: () => ({ email: `${unique()}@example.com`, password: 'correct horse' }),
  },
  'POST /auth-collections/login': {
    access: 'anyone',
    status: 200,
    names: 'user',
    body: ({ person }) => ({ email: person!.email, password: person!.password }),
  },
  'GET /auth-collections/user': user,
  'PATCH /auth-collections/user': { ...user, body: () => ({ data: changed() }) },
  'DELETE /auth-collections/user': { ...user, body: () => ({ password: 'correct horse' }) },
  'POST /auth-collections/change-password': {
    ...user,
    body: () => ({ old_password: 'correct horse', new_password: 'another horse' }),
  },
  'POST /auth-collections/refresh': {
    access: 'anyone',
    status: 401,
    body: () => ({ refresh_token: 'made up' }),
  },
  'POST /auth-collections/logout': user,
  'GET /auth-collections/users': server,
  'POST /auth-collections/users': {
    ...server,
    status: 201,
    body: () => ({ email: `${unique()}@example.com` }),
  },
  'GET /auth-collections/users/links': server,
  'DELETE /auth-collections/users/links/:field': { ...server, status: 404 },
  'GET /auth-collections/users/:id': { access: 'anyone', status: 200, names: 'user' },
  'PATCH /auth-collections/users/:id': { ...server, names: 'user', body: () => ({ role: 'editor' }) },
  'DELETE /auth-collections/users/:id': { ...server, names: 'user' },
  'GET /auth-collections/users/:id/sessions': { ...server, names: 'user' },
  'DELETE /auth-collections/users/:id/sessions': { ...server, names: 'user' },
  'DELETE /auth-collections/users/:id/sessions/:session': { ...server, status: 404, names: 'user' },
  'GET /auth-collections/users/:id/identities': { ...server, names: 'user' },
  'DELETE /auth-collections/users/:id/identities/:provider': { ...server, status: 404, names: 'user' },
  'GET /auth-collections/users/:id/passkeys': { ...server, names: 'user' },
  'DELETE /auth-collections/users/:id/passkeys/:passkey': { ...server, status: 404, names: 'user' },
  'GET /auth-collections/oauth/:provider': noProvider,
  'POST /auth-collections/verify-:provider-login': {
    ...noProvider,
    body: () => ({ code: 'x', redirect_uri: 'https://app.example.com/' }),
  },
  'GET /auth-collections/identities': user,
  'DELETE /auth-collections/identities/:provider': { ...user, status: 404 },
  'POST /auth-collections/passkeys/register/options': { ...user, status: 400 },
  'POST /auth-collections/passkeys/register': { ...user, status: 400, body: () => ({}) },
  'POST /auth-collections/passkeys/login/options': { access: 'anyone', status: 400 },
  'POST /auth-collections/passkeys/login': { access: 'anyone', status: 400, body: () => ({}) },
  'GET /auth-collections/passkeys': user,
  'PATCH /auth-collections/passkeys/:id': { ...user, status: 404, body: () => ({ name: 'Mine' }) },
  'DELETE /auth-collections/passkeys/:id': { ...user, status: 404 },
  'GET /realtime': { access: 'anyone', status: 400 },
  // A good call would not end.
  'GET /realtime/sse/:collection': {
    ...documents,
    status: 400,
    names: 'collection',
    query: '?limit=1',
  },
  'GET /realtime/rooms': server,
  'GET /realtime/connections': server,
  'POST /realtime/ticket': credential,
  ...flowRoutes,
  ...pageRoutes,
  'GET /files/:ref/:file': { ...open, names: 'file' },
  'PUT /files/:ref/incoming/:id': { ...open, status: 404 },
  'POST /storage/upload': { ...credential, status: 201, upload: { name: 'a.txt', content: 'a' } },
  'GET /storage/list': credential,
  'GET /storage/info': server,
  'GET /usage': server,
  'GET /deployments': server,
  'POST /deployments': { ...server, status: 201, body: () => ({ files: {}, entries: [] }) },
  'GET /deployments/:version/files': { ...server, status: 404 },
  'POST /deployments/:version/activate': { ...server, status: 404 },
  'POST /tasks': { ...server, status: 404, body: () => ({ function: 'none' }) },
  'GET /background-functions': server,
  'GET /background-functions/:name': { ...server, status: 404 },
  'PATCH /background-functions/:name': { ...server, status: 404, body: () => ({ enabled: true }) },
  'GET /background-functions/:name/deliveries': { ...server, status: 404 },
  'GET /background-functions/:name/deliveries/:delivery': { ...server, status: 404 },
  'POST /background-functions/:name/replay': { ...server, status: 404, body: () => ({ dead: true }) },
  'GET /schedules': server,
  'POST /schedules/:name/run': { ...server, status: 404 },
  'PATCH /schedules/:name': { ...server, status: 404, body: () => ({ isPaused: true }) },
  'GET /function-runs': server,
  'GET /function-runs/:id': { ...server, status: 404 },
  'GET /functions/:name': noFunction,
  'GET /functions/:name/*': noFunction,
  'HEAD /functions/:name': noFunction,
  'HEAD /functions/:name/*': noFunction,
  'POST /functions/:name': noFunction,
  'POST /functions/:name/*': noFunction,
  'PUT /functions/:name': noFunction,
  'PUT /functions/:name/*': noFunction,
  'PATCH /functions/:name': noFunction,
  'PATCH /functions/:name/*': noFunction,
  'DELETE /functions/:name': noFunction,
  'DELETE /functions/:name/*': noFunction,
  'GET /jobs': server,
  'GET /messages': server,
  'POST /messages': {
    ...server,
    status: 400,
    body: () => ({ to: 'ada@example.com', subject: 'Hello', text: 'Hello Ada.' }),
  },
  'POST /messages/:id/retry': { ...server, status: 404 },
  'GET /storage/file/:id': { ...credential, toUsers: 404, names: 'file' },
  'DELETE /storage/file/:id': { ...credential, toUsers: 404, names: 'file' },
  'POST /storage/file/:id/signed-url': {
    ...credential,
    status: 201,
    toUsers: 404,
    names: 'file',
    body: () => ({ expiresIn: 60 }),
  },
  'POST /storage/direct-uploads': {
    ...credential,
    status: 201,
    body: () => ({ name: 'a.txt', size: 1 }),
  },
  'POST /storage/direct-uploads/:id/confirm': { ...credential, status: 404 },
  'OPTIONS /storage/resumable': { ...credential, status: 204 },
  'POST /storage/resumable': tus,
  'OPTIONS /storage/resumable/:id': { ...credential, status: 204 },
  'HEAD /storage/resumable/:id': noUpload,
  'PATCH /storage/resumable/:id': noUpload,
  'DELETE /storage/resumable/:id': noUpload,
};

/** The row of a live route; a HEAD route is its GET without the body. */
export const rowOf = (route: string): RouteRow | undefined =>
  routeTable[route] ?? routeTable[route.replace(/^HEAD /, 'GET ')];

/** The route's address with names filled in. */
export function pathOf(route: string, { collection, id, person, file }: Things): string {
  const path = route.slice(route.indexOf(' ') + 1);
  if (path === '/files/:ref/:file' && file) return new URL(file.url).pathname;
  if (path.startsWith('/storage/file/') && file) return path.replace(':id', file.id);
  const named = path.startsWith('/auth-collections') ? (person?.id ?? id) : id;
  const filled = path
    .replace(':collection', collection)
    .replace(':id', named)
    .replace(':delivery', '019a8c5e-7f00-8000-8000-5b6c7d8e9f0a')
    .replace(':session', '019a8c5e-7f00-8000-8000-5b6c7d8e9f0a')
    .replace(':passkey', 'Rk9PQkFS')
    .replace(':provider', 'acme')
    .replace(':name', 'welcome')
    .replace(':language', 'en')
    .replace('*', '');
  return filled + (rowOf(route)?.query ?? '');
}

export const methodOf = (route: string): string => route.slice(0, route.indexOf(' '));

/** A collection of its own with one document, for calls that change or remove it. */
export async function makeThings(api: Client): Promise<Things> {
  const collection = unique();
  await api.post('/collections', { name: collection });
  const { body } = await api.post(`/collections/${collection}`, { canary: 'untouched' });
  return { collection, id: body.data.id };
}

/** The same, and a person where the route is about one. */
export async function makeThingsFor(t: TestApp, route: string): Promise<Things> {
  const things = await makeThings(t.api);
  const row = rowOf(route);
  if (row?.names === 'file') return { ...things, file: (await upload(t.api, 'a.txt', 'a')).body.data };
  return row?.names === 'user' || row?.access === 'user' ? { ...things, person: await newPerson(t) } : things;
}
