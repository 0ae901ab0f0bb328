import { Type } from 'typebox';
import type { Operation } from '../../../platform/http/openapi/index.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import type { KeyRing } from './key-ring.ts';

/** The keys with which anyone can verify a token. */
export function addPublishedKeys(http: HttpServer, keys: KeyRing): void {
  http.get(
    '/.well-known/jwks.json',
    { config: { access: 'open', describe: describeKeys } },
    async (_request, reply) => {
      reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'public, max-age=300');
      return { keys: await keys.published() };
    },
  );
}

const keySet = Type.Object({
  keys: Type.Array(Type.Object({}, { additionalProperties: true }), {
    description: 'JSON Web Keys (RFC 7517).',
    examples: [
      [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'k1', x: 'f83OJ3D2…', y: 'x_FEzRu9…' }],
    ],
  }),
});

function describeKeys(method: string): Operation | undefined {
  if (method !== 'GET') return undefined;
  return {
    operationId: 'getPublishedKeys',
    tag: 'Service',
    summary: 'Read the public keys that tokens are signed with',
    description:
      'For services that verify tokens of app users themselves. A token’s `kid` names its key; if it is unknown, read the keys again.',
    credentials: [],
    responses: {
      200: {
        description: 'Success',
        headers: ['X-Request-Id', 'Cache-Control'],
        content: { 'application/json': keySet },
      },
    },
    failures: [429, 500, 503],
  };
}
