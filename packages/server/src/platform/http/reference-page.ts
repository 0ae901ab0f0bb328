import { isFromThisMachine } from './from-this-machine.ts';
import { iconAddress } from './icon.ts';
import type { HttpServer } from './server.ts';

const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** A part of the page that a link leads to is no control: no ring around it. */
const style = '.section:focus-visible { outline: none; }';

/**
 * The browsable reference at /docs. Its package is large, so it is loaded for the first visitor, into a server of its own
 * that takes over the request. `apiKey` is filled in for whoever reads it on this machine, and for nobody else.
 */
export function addReferencePage(app: HttpServer, apiKey?: string): void {
  const pages = new Map<string, Promise<Pick<HttpServer, 'routing'>>>();
  const load = async (key: string) => {
    const [{ default: fastify }, { default: reference }] = await Promise.all([
      import('fastify'),
      import('@scalar/fastify-api-reference'),
    ]);
    const server = fastify();
    server.addHook('onRequest', async (_request, reply) => {
      reply
        .header('Cache-Control', 'no-store')
        .header('Content-Security-Policy', policy)
        .header('X-Content-Type-Options', 'nosniff');
    });
    await server.register(reference, {
      routePrefix: '/docs',
      configuration: {
        pageTitle: 'Plinth: API reference',
        favicon: iconAddress,
        customCss: style,
        authentication: {
          preferredSecurityScheme: 'apiKey',
          securitySchemes: { apiKey: { value: key }, bearer: { token: 'access_token' } },
        },
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
    app.get(url, { config: { access: 'open' } }, async (request, reply) => {
      const key = apiKey !== undefined && isFromThisMachine(request) ? apiKey : 'plk_your_api_key';
      const page = pages.get(key) ?? load(key);
      pages.set(key, page);
      const server = await page;
      reply.hijack();
      server.routing(request.raw, reply.raw);
    });
  }
}
