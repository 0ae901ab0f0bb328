import type { RequestRecord } from '../../api/requests.ts';

/** The call as a command that anybody can run who has a key. The log keeps no body: what was sent is left open. */
export function curlOf(request: RequestRecord, url: string): string | undefined {
  const { route, path, query, credential } = request;
  const [method = 'GET'] = route.split(' ');
  if (path === null) return undefined;
  const address = `${url}${path}${query === null ? '' : `?${query}`}`;
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  const parts = [
    'curl',
    ...(method === 'GET' || (method === 'POST' && hasBody) ? [] : [`-X ${method}`]),
    `'${address.replaceAll("'", '%27')}'`,
    ...proofOf(credential),
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d '{}'`] : []),
  ];
  return parts.join(' ');
}

/** Never the key itself: the page has none. */
function proofOf(credential: RequestRecord['credential']): string[] {
  if (credential === 'none') return [];
  if (credential === 'user') return ['-H "Authorization: Bearer $PLINTH_TOKEN"'];
  return ['-H "X-API-Key: $PLINTH_KEY"'];
}

interface Meant {
  readonly collection: string;
  readonly action: 'read' | 'create' | 'update' | 'delete';
  readonly doc?: string;
}

const actions = { GET: 'read', POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'delete' } as const;
const reading = '/collections/:collection/query';

/** Which documents the call was about, and what it wanted of them. */
export function meantBy({ route, path }: RequestRecord): Meant | undefined {
  const [method = '', pattern = ''] = route.split(' ');
  const [, collection, doc] = /^\/collections\/([^/]+)(?:\/([0-9a-f-]{36}))?/.exec(path ?? '') ?? [];
  if (collection === undefined || !Object.hasOwn(actions, method)) return undefined;
  const action = pattern === reading ? 'read' : actions[method as keyof typeof actions];
  return { collection: decodeURIComponent(collection), action, ...(doc !== undefined && { doc }) };
}

/** Where the rules of a collection are tried out, with what the call was about. */
export function ruleTesterHref(ref: string, { collection, action, doc }: Meant, user: string | null): string {
  const search = new URLSearchParams({
    ...(user !== null && { as: user }),
    action,
    ...(doc !== undefined && { doc }),
  });
  return `/dashboard/p/${ref}/data/${encodeURIComponent(collection)}/rules?${search.toString()}`;
}
