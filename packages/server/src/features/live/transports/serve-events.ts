import { closeCodes } from '@plinth/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { projectUnknown } from '../../../calls/gate/index.ts';
import { reporting } from '../../../platform/guarded.ts';
import { beginEventStream } from '../../../platform/http/event-stream.ts';
import { openQuery } from '../feed/index.ts';
import { Connection } from './connection.ts';
import { eventStreamTransport } from './event-stream-transport.ts';
import { conditionsOf, parameter } from './query-parameters.ts';
import type { ServeDeps } from './serve-socket.ts';

/** Serves one subscription over Server-Sent Events. */
export async function serveEvents(
  { gateway, owners }: ServeDeps,
  collection: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const owner = await owners.ofRequest(request, parameter(request, 'ticket'));
  if (!owner) throw projectUnknown();
  const filter = conditionsOf(request);
  // Faults of the call are answered like in any other call; later there is no status left to say it with.
  await openQuery(gateway.deps, owner.context, { collection, filter });
  const since = request.headers['last-event-id'] ?? parameter(request, 'since');
  const snapshot = since === undefined && parameter(request, 'snapshot') === 'true';
  const connection = new Connection({
    gateway,
    transport: eventStreamTransport(reply.raw, snapshot),
    address: request.ip,
    owner,
    isProjectNamed: true,
    findOwner: () => Promise.reject(new Error('Server-Sent Events do not accept messages.')),
  });
  const failed = reporting(gateway.deps.log, 'an event stream failed and was closed', () =>
    reply.raw.destroy(),
  );
  beginEventStream(reply, failed, () => connection.closed());
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
    connection.complain(error, { id: 'sse' });
    connection.end(closeCodes.notSignedIn, 'not subscribed');
  }
}
