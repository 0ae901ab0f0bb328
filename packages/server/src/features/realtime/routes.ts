import { closeCodes } from '@plinth/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { WebSocket } from 'ws';
import { AppError } from '../../platform/errors.ts';
import { ok } from '../../platform/http/answer.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { projectUnknown, readCredentials } from '../access/index.ts';
import type { Tokens } from '../app-users/index.ts';
import type { ProjectRoutes } from '../projects/index.ts';
import { Connection, type Identity } from './connection.ts';
import { invalidMessage } from './errors.ts';
import { eventStreamTransport } from './event-stream.ts';
import type { Gateway } from './gateway.ts';
import type { Identities } from './identities.ts';
import { openQuery } from './live-query.ts';
import { socketTransport } from './socket-transport.ts';
import { createTicket } from './tickets.ts';

interface RouteServices {
  readonly gateway: Gateway;
  readonly identities: Identities;
  readonly tokens: Tokens;
}

const heartbeatMs = 25_000;
const commentMs = 15_000;

export function addRealtimeRoutes(app: HttpServer, routes: ProjectRoutes, services: RouteServices): void {
  app.route({
    method: 'GET',
    url: '/realtime',
    config: { access: 'anyone', mayIdentifyLater: true },
    schema: { hide: true },
    exposeHeadRoute: false,
    handler: async (request) => {
      if (!request.caller?.project) throw projectUnknown();
      throw invalidMessage(
        'This address speaks WebSocket: connect with ws:// or wss://. For Server-Sent Events: /realtime/sse/{collection}.',
      );
    },
    wsHandler: (socket, request) => void serveSocket(services, socket, request),
  });
  app.route({
    method: 'GET',
    url: '/realtime/sse/:collection',
    config: { access: 'anyone', mayIdentifyLater: true },
    schema: { hide: true },
    exposeHeadRoute: false,
    handler: (request, reply) => serveEvents(services, request, reply),
  });
  routes.add(
    {
      method: 'POST',
      url: '/realtime/ticket',
      access: 'credential',
      isBodyOptional: true,
      operationId: 'createRealtimeTicket',
      tag: 'Realtime',
      summary: 'Make a ticket for one live connection',
      description:
        'For browsers, which cannot send headers with one: `?ticket=…` admits whoever made this call, once, within 30 seconds.',
      answers: { status: 200, data: ticketSchema },
      failures: [],
    },
    async (context, { headers }) => {
      const { token } = readCredentials(headers);
      const content = token === undefined ? undefined : await services.tokens.verify(token);
      return ok(await createTicket(context, content?.expiresAtMs));
    },
  );
}

const ticketSchema = Type.Object({
  ticket: Type.String(),
  expiresAt: Type.String({ format: 'date-time' }),
});

async function serveSocket(
  services: RouteServices,
  socket: WebSocket,
  request: FastifyRequest,
): Promise<void> {
  const { gateway, identities } = services;
  const early: string[] = [];
  let connection: Connection | undefined;
  socket.on('message', (data, isBinary) => {
    // Text frames come as one buffer.
    const text = isBinary ? '' : (data as Buffer).toString();
    if (connection) connection.take(text);
    else early.push(text);
  });
  socket.on('error', () => socket.terminate());
  const identity = await identify(identities, request).catch((error: unknown) => refuse(socket, error));
  if (identity === 'refused' || socket.readyState !== socket.OPEN) return;
  const transport = socketTransport(socket, () =>
    connection?.end(closeCodes.tooSlow, 'messages are not taken'),
  );
  try {
    connection = new Connection({
      gateway,
      transport,
      address: request.ip,
      identity,
      identify: (token) => identities.ofToken(request, token),
    });
  } catch (error) {
    refuse(socket, error);
    return;
  }
  keepAlive(socket);
  socket.on('close', () => connection?.closed());
  if (identity)
    connection.say({
      type: 'ready',
      connection: connection.id,
      user: identity.context.principal.user?.id ?? null,
    });
  for (const text of early) connection.take(text);
}

async function identify(identities: Identities, request: FastifyRequest): Promise<Identity | undefined> {
  const ticket = parameter(request, 'ticket');
  return ticket === undefined ? identities.ofRequest(request) : identities.ofTicket(request, ticket);
}

function refuse(socket: WebSocket, error: unknown): 'refused' {
  const code = error instanceof AppError ? error.code : 'internal_error';
  const message = error instanceof AppError ? error.message : 'Something went wrong on our side. Try again.';
  socket.send(JSON.stringify({ type: 'error', code, message }));
  socket.close(refusals[code] ?? closeCodes.notSignedIn, code);
  return 'refused';
}

const refusals: Readonly<Record<string, number>> = {
  too_many_subscriptions: closeCodes.tooMany,
  origin_not_allowed: closeCodes.foreignOrigin,
};

/** One that does not answer is gone, whatever the network says. */
function keepAlive(socket: WebSocket): void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, heartbeatMs);
  socket.on('close', () => clearInterval(timer));
}

async function serveEvents(
  services: RouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { gateway, identities } = services;
  const identity = await identify(identities, request);
  if (!identity) throw projectUnknown();
  const { collection } = request.params as { collection: string };
  const filter = conditionsOf(request);
  // What is wrong with the call is answered like in any other; afterwards there is no status to say it with.
  await openQuery(gateway.services, identity.context, { collection, filter });
  const { raw } = reply;
  const since = request.headers['last-event-id'] ?? parameter(request, 'since');
  const snapshot = since === undefined && parameter(request, 'snapshot') === 'true';
  const connection = new Connection({
    gateway,
    transport: eventStreamTransport(raw, snapshot),
    address: request.ip,
    identity,
    identify: () => Promise.reject(new Error('Server-Sent Events take no messages.')),
  });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  raw.write('retry: 1000\n\n');
  const timer = setInterval(() => raw.write(':\n\n'), commentMs);
  raw.on('close', () => {
    clearInterval(timer);
    connection.closed();
  });
  try {
    await connection.subscribe({
      type: 'subscribe',
      id: 'sse',
      collection,
      filter,
      ...(since !== undefined && { since: String(since) }),
      snapshot,
    });
  } catch (error) {
    connection.complain(error, 'sse');
    connection.end(closeCodes.notSignedIn, 'not subscribed');
  }
}

/** Parameters that are no conditions. A field of such a name is written `field:ticket`. */
const own = new Set(['ticket', 'since', 'snapshot']);

function pieces({ url }: FastifyRequest): string[] {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? [] : url.slice(queryAt + 1).split('&');
}

function parameter(request: FastifyRequest, name: string): string | undefined {
  const piece = pieces(request).find((piece) => piece.startsWith(`${name}=`));
  const text = piece?.slice(name.length + 1);
  try {
    return text && decodeURIComponent(text);
  } catch {
    // Neither a ticket nor a place: refused as such.
    return text;
  }
}

function conditionsOf(request: FastifyRequest): string {
  return pieces(request)
    .filter((piece) => !own.has(piece.split('=', 1)[0]!))
    .join('&');
}
