import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body can be a file: it may take its time, as long as it keeps coming. */
    takesFiles?: boolean;
  }
}

const jsonBodyMs = 30_000;
const fileWindowMs = 30_000;
/** 10 KB a second over any 30 s. */
const leastBytesInWindow = 307_200;
/** How long a caller that was answered before all of its body had come may go on sending. */
const lingerMs = 5000;

type Refuse = (error: Error & { code?: string }, socket: Socket) => void;

/**
 * Bounds the time a body may take, so that slow senders do not hold connections: 30 s for JSON, and at least 10 KB a
 * second for files. A body that nobody wants is still read for a moment, so that the caller gets to see its answer.
 */
export function watchBodies(app: Pick<FastifyInstance, 'addHook'>, refuse: Refuse): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (hasBody(raw)) {
      // Taken now: a request that is destroyed lets go of its socket.
      const { socket } = raw;
      const stop = takesFile(request) ? watchRate(raw, socket, refuse) : watchTime(socket, refuse);
      raw.once('end', stop).once('close', stop);
      reply.raw.once('finish', () => {
        if (!raw.complete) setTimeout(() => raw.complete || socket.destroy(), lingerMs).unref();
      });
    }
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!request.raw.complete && takesFile(request)) reply.header('Connection', 'close');
    done();
  });
}

/** Is the body a file, or a form that holds some? */
function takesFile({ raw, routeOptions }: FastifyRequest): boolean {
  const { takesFiles, takesAnything } = routeOptions.config ?? {};
  return takesFiles === true && hasBody(raw) && (takesAnything === true || !isJson(raw));
}

function watchTime(socket: Socket, refuse: Refuse): () => void {
  const timer = setTimeout(() => refuse(tooSlow(), socket), jsonBodyMs);
  return () => clearTimeout(timer);
}

function watchRate(raw: IncomingMessage, socket: Socket, refuse: Refuse): () => void {
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // If bytes wait for us to store them, it is not the sender who is slow.
    if (came < leastBytesInWindow && raw.readableLength === 0 && !raw.complete) refuse(tooSlow(), socket);
  }, fileWindowMs);
  return () => clearInterval(timer);
}

function tooSlow(): Error & { code: string } {
  return Object.assign(new Error('The body came too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') === true;
}
