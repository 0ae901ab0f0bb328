import type { HttpServer } from '../server.ts';
import { type ApiDescription, type DescribedRoute, writeOpenApi } from './document.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of the routes that there are, as JSON text. */
    openApi(): string;
  }
}

/** Serves the OpenAPI document of all routes that are added after this. It is written for the first who asks. */
export function addOpenApi(app: HttpServer, api: ApiDescription): void {
  const describers: (() => DescribedRoute | undefined)[] = [];
  app.addHook('onRoute', ({ method: methods, url, config }) => {
    for (const method of [methods].flat())
      describers.push(() => {
        const operation = config?.describe?.(method);
        return operation && { method, url, operation };
      });
  });
  app.decorate('openApi', () =>
    writeOpenApi(
      api,
      describers.map((describe) => describe()).filter((route) => route !== undefined),
    ),
  );
  let text: string | undefined;
  app.get('/openapi.json', { config: { access: 'open' } }, async (_request, reply) => {
    reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'public, max-age=300');
    reply.type('application/json; charset=utf-8');
    text ??= app.openApi();
    return text;
  });
}
