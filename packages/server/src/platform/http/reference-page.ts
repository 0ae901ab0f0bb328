import type { HttpServer } from './server.ts';

const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/**
 * The browsable reference at /docs. Its package is large, so it is loaded for the first visitor, into a server of its own
 * that takes over the request.
 */
export function addReferencePage(app: HttpServer): void {
  let page: Promise<Pick<HttpServer, 'routing'>> | undefined;
  const load = async () => {
    const [{ default: fastify }, { default: reference }] = await Promise.all([
      import('fastify'),
      import('@scalar/fastify-api-reference'),
    ]);
    const server = fastify();
    server.addHook('onRequest', async (_request, reply) => {
      reply.header('Content-Security-Policy', policy).header('X-Content-Type-Options', 'nosniff');
    });
    await server.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        telemetry: false,
        withDefaultFonts: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
    await server.ready();
    return server;
  };
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
      page ??= load();
      const server = await page;
      reply.hijack();
      server.routing(request.raw, reply.raw);
    });
  }
}
