import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

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
      // Drivers hang connections, parameters and rows on their errors: none of it belongs in a log.
      err: ({ name, code, message, stack = '' }: Error & { code?: string }) => ({
        type: name,
        code: code ?? '',
        message,
        stack,
      }),
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0]!.replace(/plk_\w+/gi, 'plk_…'),
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  };
}

/** A logger for commands, which have no server of their own. */
export function createLog(level: string): Log {
  return pino(logOptions(level), pino.destination(2));
}
