import type { HttpServer } from '../../../platform/http/server.ts';
import type { KeyRing } from './key-ring.ts';

/** The keys with which anyone can verify a token. */
export function addPublishedKeys(http: HttpServer, keys: KeyRing): void {
  http.get(
    '/.well-known/jwks.json',
    { config: { access: 'open' }, schema: { hide: true } },
    async (_request, reply) => {
      reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'public, max-age=300');
      return { keys: await keys.published() };
    },
  );
}
