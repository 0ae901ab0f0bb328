import type { FastifyBaseLogger } from 'fastify';

/** Structured logger; one JSON object a line on stderr. */
export type Log = FastifyBaseLogger;

const secretHeaders = ['authorization', 'x-api-key', 'cookie', 'set-cookie'];

/** Options for Fastify's pino: secrets are removed where they could slip in, the query string is never logged. */
export function logOptions(level: string) {
  return {
    level,
    redact: {
      paths: secretHeaders.flatMap((name) => [`req.headers["${name}"]`, `headers["${name}"]`]),
      remove: true,
    },
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  };
}
