import { Type } from 'typebox';
import { projectUnknown, readCredentials } from '../../../calls/gate/index.ts';
import { needsOf, ok, type ProjectRoutes } from '../../../calls/index.ts';
import { reporting } from '../../../platform/guarded.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import type { Tokens } from '../../people/index.ts';
import { invalidMessage } from '../errors.ts';
import { describeEvents, describeSocket } from './describe-realtime.ts';
import { SentTogether } from './sent-together.ts';
import { serveEvents } from './serve-events.ts';
import { type ServeDeps, serveSocket } from './serve-socket.ts';
import { createTicket } from './tickets.ts';

export interface RealtimeRouteDeps extends ServeDeps {
  readonly tokens: Tokens;
}

/** A ticket may be in the address. */
const live = { isSecret: true, staysOpen: true };

export function addRealtimeRoutes(app: HttpServer, routes: ProjectRoutes, deps: RealtimeRouteDeps): void {
  const sent = new SentTogether(reporting(app.log, 'live messages could not be sent'));
  app.route({
    method: 'GET',
    url: '/realtime',
    config: {
      access: 'anyone',
      needs: needsOf([], true),
      mayIdentifyLater: true,
      isSocket: true,
      describe: describeSocket,
      ...live,
    },
    exposeHeadRoute: false,
    handler: async (request) => {
      if (!request.caller?.project) throw projectUnknown();
      throw invalidMessage(
        'This is a WebSocket endpoint: connect with ws:// or wss://. For Server-Sent Events, use /realtime/sse/{collection}.',
      );
    },
    wsHandler: (socket, request) => void serveSocket({ ...deps, sent }, socket, request),
  });
  app.route({
    method: 'GET',
    url: '/realtime/sse/:collection',
    config: {
      access: 'anyone',
      needs: needsOf('collection', true),
      mayIdentifyLater: true,
      describe: describeEvents,
      ...live,
    },
    schema: { params: Type.Object({ collection: Type.String() }) },
    exposeHeadRoute: false,
    handler: (request, reply) => serveEvents(deps, request.params.collection, request, reply),
  });
  addTicketRoute(routes, deps.tokens);
}

function addTicketRoute(routes: ProjectRoutes, tokens: Tokens): void {
  routes.add(
    {
      method: 'POST',
      url: '/realtime/ticket',
      access: 'credential',
      // What is asked for on the connection is checked there.
      scope: [],
      isBodyOptional: true,
      operationId: 'createRealtimeTicket',
      tag: 'Realtime',
      summary: 'Create a ticket for a realtime connection',
      description:
        'For browsers, which cannot send headers when they connect: connect with `?ticket=…` instead. The ticket stands for the caller of this request, and is valid once, for 30 seconds.',
      headers: ['Authorization'],
      answers: { status: 200, data: ticketSchema },
      failures: [],
    },
    async (context, { headers }) => {
      const { token } = readCredentials(headers);
      const content = token === undefined ? undefined : await tokens.verify(token);
      return ok(await createTicket(context, content?.expiresAtMs));
    },
  );
}

const ticketSchema = Type.Object({
  ticket: Type.String({
    description: 'Send it as the query parameter `ticket`.',
    examples: ['abcdefghijkl.8Qm2f7bXl0b1Jq3oWv5c9A'],
  }),
  expiresAt: Type.String({ format: 'date-time' }),
});
