import { closeCodes } from '@plinth/protocol';
import { Type } from 'typebox';
import { projectHeaders } from '../../../calls/index.ts';
import type { Operation, Parameter } from '../../../platform/http/openapi/index.ts';
import { clientMessages, messagesBack } from './message-schemas.ts';

const ticket: Parameter = {
  in: 'query',
  name: 'ticket',
  schema: Type.String({
    description: 'A ticket from `POST /realtime/ticket`, for browsers, which cannot send a credential here.',
  }),
};

const shared = { tag: 'Realtime', credentials: ['apiKey', 'bearer', 'none'] } as const;

/** What the OpenAPI document says of the WebSocket. */
export function describeSocket(): Operation {
  return {
    ...shared,
    operationId: 'connectRealtime',
    summary: 'Open a WebSocket for changes and rooms',
    description: [
      'Connect with `wss://`. Every message, in both directions, is a text frame with one JSON object that has a `type`. A connection can have many subscriptions and be in many rooms.',
      clientMessages,
      messagesBack,
      `The connection is closed with ${closeCodes.notSignedIn} when the credential has expired or was revoked, ${closeCodes.foreignOrigin} if the origin of the page is not allowed, ${closeCodes.tooSlow} if the client does not read messages fast enough, ${closeCodes.tooMany} if there are too many connections, and ${closeCodes.goingAway} when the node shuts down: reconnect, and subscribe with \`since\`.`,
    ].join('\n\n'),
    parameters: [ticket],
    responses: {
      101: {
        description: 'The connection switches to WebSocket; each message from the server has this format',
        content: { 'application/json': Type.Unsafe({ $ref: 'RealtimeMessage#' }) },
      },
    },
    failures: [400, 401, 403, 429, 500, 503],
  };
}

const stream = [
  'id: b3Jh…\nevent: subscribed\ndata: {"type":"subscribed","id":"sse","cursor":"b3Jh…"}\n\n',
  'id: b3Ji…\nevent: event\ndata: {"type":"event","id":"sse","collection":"posts","event":"created","document":{"id":"019a8c5e-7f00-8000-8123-4a5b6c7d8e9f","title":"Hello"},"cursor":"b3Ji…"}\n\n',
].join('');

/** What the OpenAPI document says of Server-Sent Events. */
export function describeEvents(): Operation {
  return {
    ...shared,
    operationId: 'followCollection',
    summary: 'Subscribe to a collection with Server-Sent Events',
    description:
      'One subscription, as a stream for `EventSource`. The name of each event is the `type` of its message, as over the WebSocket: `subscribed`, `snapshot`, `event`, `position`, `resync`, `error`; `closed` comes last. After a lost connection, browsers reconnect and resume automatically.',
    parameters: [
      {
        in: 'path',
        name: 'collection',
        isRequired: true,
        schema: Type.String({ description: 'Name or id of the collection.', examples: ['posts'] }),
      },
      ticket,
      {
        in: 'query',
        name: 'snapshot',
        schema: Type.Boolean({ description: 'Whether to send the matching documents first.' }),
      },
      {
        in: 'query',
        name: 'since',
        schema: Type.String({ description: 'A cursor to resume from.' }),
      },
      {
        in: 'query',
        name: 'filters',
        schema: Type.Record(Type.String(), Type.String(), {
          description: 'Any other parameter is a filter, as in a list: `status=published`.',
          examples: [{ status: 'published' }],
        }),
      },
      {
        in: 'header',
        name: 'Last-Event-ID',
        schema: Type.String({ description: 'The same as `since`; browsers send it automatically.' }),
      },
    ],
    responses: {
      200: {
        description: 'Events, until one side closes the connection',
        headers: [...projectHeaders, 'X-Accel-Buffering'],
        content: { 'text/event-stream': Type.String({ examples: [stream] }) },
      },
    },
    failures: [400, 401, 403, 404, 429, 500, 503],
  };
}
