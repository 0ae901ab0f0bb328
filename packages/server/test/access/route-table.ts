import type { Client } from '../support/client.ts';

/** What a call of a route can name. */
export interface Things {
  readonly collection: string;
  readonly id: string;
}

interface RouteRow {
  /** `open`: no credential counts. `server`: the API key only. */
  readonly access: 'open' | 'server';
  /** What a good call answers. */
  readonly status: number;
  /** The body of a good call. */
  readonly body?: (things: Things) => unknown;
  /** The route takes it as one of its parameters or in its body. */
  readonly names?: 'collection' | 'document' | 'documents';
}

const unique = () => `made_${Math.random().toString(36).slice(2)}`;
const open = { access: 'open', status: 200 } as const;
const read = { access: 'server', status: 200 } as const;

/** Who may call what. A route that is not here fails the test that reads the live list. */
export const routeTable: Readonly<Record<string, RouteRow>> = {
  'GET /healthz': open,
  'GET /readyz': open,
  'GET /openapi.json': open,
  'GET /docs': open,
  'GET /docs/*': open,
  'POST /collections': { access: 'server', status: 201, body: () => ({ name: unique() }) },
  'GET /collections': read,
  'PATCH /collections/:collection': { ...read, names: 'collection', body: () => ({ name: unique() }) },
  'DELETE /collections/:collection': { ...read, names: 'collection' },
  'POST /collections/:collection': {
    access: 'server',
    status: 201,
    names: 'collection',
    body: () => ({ changed: true }),
  },
  'GET /collections/:collection': { ...read, names: 'collection' },
  'GET /collections/:collection/:id': { ...read, names: 'document' },
  'PATCH /collections/:collection/:id': { ...read, names: 'document', body: () => ({ changed: true }) },
  'PUT /collections/:collection/:id': { ...read, names: 'document', body: () => ({ changed: true }) },
  'DELETE /collections/:collection/:id': { ...read, names: 'document' },
  'POST /collections/:collection/batch': {
    access: 'server',
    status: 201,
    names: 'collection',
    body: () => ({ documents: [{ changed: true }] }),
  },
  'POST /collections/:collection/batch-update': {
    ...read,
    names: 'documents',
    body: ({ id }) => ({ updates: [{ id, changed: true }] }),
  },
  'POST /collections/:collection/batch-delete': {
    ...read,
    names: 'documents',
    body: ({ id }) => ({ ids: [id] }),
  },
};

/** The row of a live route; a HEAD route is its GET without the body. */
export const rowOf = (route: string): RouteRow | undefined => routeTable[route.replace(/^HEAD /, 'GET ')];

/** The route's address with names filled in. */
export function pathOf(route: string, { collection, id }: Things): string {
  return route
    .slice(route.indexOf(' ') + 1)
    .replace(':collection', collection)
    .replace(':id', id)
    .replace('*', '');
}

export const methodOf = (route: string): string => route.slice(0, route.indexOf(' '));

/** A collection of its own with one document, for calls that change or remove it. */
export async function makeThings(api: Client): Promise<Things> {
  const collection = unique();
  await api.post('/collections', { name: collection });
  const { body } = await api.post(`/collections/${collection}`, { canary: 'untouched' });
  return { collection, id: body.data.id };
}
