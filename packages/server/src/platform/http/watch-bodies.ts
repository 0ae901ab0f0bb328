import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { guarded, reporting } from '../guarded.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body can be a file: it may take its time, as long as it keeps coming. */
    takesFiles?: boolean;
  }
}

/** How long a client may take to send a JSON body. @limit - ms */
const jsonBodyMs = 30_000;
const fileWindowMs = 30_000;
/** 10 KB a second over any 30 s. */
const leastBytesInWindow = 307_200;
/** A body that nobody wants is read on so far and for so long, or the caller would be cut off before it sees the answer. */
const unwantedBytes = 134_217_728;
const unwantedMs = 15_000;
const lookEveryMs = 100;
/** A body this short is read to its end before the answer, so that the caller can use its connection again. */
const shortBody = 65_536;
const shortBodyMs = 2000;

type Refuse = (error: Error & { code?: string }, socket: Socket) => void;

/**
 * Bounds the time a body may take, so that slow senders do not hold connections: 30 s for JSON, and at least 10 KB a
 * second for files. A body that nobody wants is still read, within bounds: most callers look for the answer only when
 * they have sent everything, and lose it if the connection is closed under them.
 */
export function watchBodies(app: Pick<FastifyInstance, 'addHook'>, refuse: Refuse): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (hasBody(raw)) {
      // Taken now: a request that is destroyed lets go of its socket.
      const { socket } = raw;
      const failed = reporting(request.log, 'a body could not be watched', () => socket.destroy());
      const slow = () => refuse(tooSlow(), socket);
      const stop = takesFile(request) ? watchRate(raw, socket, slow, failed) : watchTime(slow, failed);
      raw.once('end', guarded(failed, stop)).once('close', guarded(failed, stop));
      reply.raw.once(
        'prefinish',
        guarded(failed, () => {
          stop();
          if (!raw.complete) readOn(raw, socket, failed);
        }),
      );
    }
    done();
  });
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!hasBody(raw)) return done();
    // Fastify would close the connection after every body that it refuses.
    reply.removeHeader('Connection');
    const length = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (raw.complete || length > shortBody) return done();
    untilRead(raw, shortBodyMs, done);
  });
}

/** Drops what still comes of a body whose call is answered. Then the connection is as good as any. */
function readOn(raw: IncomingMessage, socket: Socket, failed: (error: unknown) => void): void {
  const mostBytes = socket.bytesRead + unwantedBytes;
  const until = performance.now() + unwantedMs;
  // A connection that the answer ends would be destroyed now, and what was not read of it would take the answer along.
  socket.destroySoon = () => socket.end();
  raw.resume();
  const look = () => {
    const isWithinBounds = socket.bytesRead <= mostBytes && performance.now() < until;
    if (!raw.complete && !socket.destroyed && isWithinBounds) return;
    clearInterval(timer);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (!raw.complete || socket.writableEnded) socket.destroy();
  };
  const timer = setInterval(guarded(failed, look), lookEveryMs).unref();
}

function untilRead(raw: IncomingMessage, withinMs: number, done: () => void): void {
  const end = () => {
    clearTimeout(timer);
    raw.off('end', finish).off('close', finish);
    done();
  };
  const finish = guarded(() => {}, end);
  const timer = setTimeout(finish, withinMs);
  raw.once('end', finish).once('close', finish).resume();
}

/** Is the body a file, or a form that holds some? */
function takesFile({ raw, routeOptions }: FastifyRequest): boolean {
  const { takesFiles, takesAnything } = routeOptions.config ?? {};
  return takesFiles === true && hasBody(raw) && (takesAnything === true || !isJson(raw));
}

function watchTime(slow: () => void, failed: (error: unknown) => void): () => void {
  const timer = setTimeout(guarded(failed, slow), jsonBodyMs);
  return () => clearTimeout(timer);
}

function watchRate(
  raw: IncomingMessage,
  socket: Socket,
  slow: () => void,
  failed: (error: unknown) => void,
): () => void {
  let seen = socket.bytesRead;
  const look = () => {
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // If bytes wait for us to store them, it is not the sender who is slow.
    if (came < leastBytesInWindow && raw.readableLength === 0 && !raw.complete) slow();
  };
  const timer = setInterval(guarded(failed, look), fileWindowMs);
  return () => clearInterval(timer);
}

function tooSlow(): Error & { code: string } {
  return Object.assign(new Error('The body arrived too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

function hasBody({ headers, socket }: IncomingMessage): boolean {
  // What a page of ours asks within this process comes over no connection, and is there at once.
  if (!(socket instanceof Socket)) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/json') === true;
}
