import { closeCodes } from '@plinth/protocol';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { refInAddress } from '../../../calls/gate/index.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import { Connection, described } from './connection.ts';
import type { ConnectionOwners } from './connection-owners.ts';
import type { Gateway } from './gateway.ts';
import { parameter } from './query-parameters.ts';
import type { SentTogether } from './sent-together.ts';
import { socketTransport } from './socket-transport.ts';

export interface ServeDeps {
  readonly gateway: Gateway;
  readonly owners: ConnectionOwners;
}

interface SocketDeps extends ServeDeps {
  readonly sent: SentTogether;
}

const heartbeatMs = 25_000;

/** Serves a connection over a WebSocket. */
export async function serveSocket(
  deps: SocketDeps,
  socket: WebSocket,
  request: FastifyRequest,
): Promise<void> {
  const early: string[] = [];
  let connection: Connection | undefined;
  const failed = failing(deps, socket);
  socket.on(
    'message',
    guarded(failed, (data, isBinary) => {
      // Text frames come as one buffer.
      const text = !isBinary && Buffer.isBuffer(data) ? data.toString() : '';
      if (connection) connection.take(text);
      else early.push(text);
    }),
  );
  socket.on('error', () => socket.terminate());
  try {
    connection = await connect(deps, socket, request);
  } catch (error) {
    return refuse(socket, error);
  }
  for (const text of early) connection?.take(text);
}

/** What fails concerns this socket alone. */
function failing({ gateway }: Pick<ServeDeps, 'gateway'>, socket: WebSocket) {
  return reporting(gateway.deps.log, 'a socket failed and was closed', () => socket.terminate());
}

/** Undefined if the socket was closed before it was known who is there. */
async function connect(
  { gateway, owners, sent }: SocketDeps,
  socket: WebSocket,
  request: FastifyRequest,
): Promise<Connection | undefined> {
  const owner = await owners.ofRequest(request, parameter(request, 'ticket'));
  if (socket.readyState !== socket.OPEN) return undefined;
  const transport = socketTransport(socket, { wire: request.raw.socket, sent }, () =>
    connection.end(closeCodes.tooSlow, 'messages are not read in time'),
  );
  const connection: Connection = new Connection({
    gateway,
    transport,
    address: request.ip,
    owner,
    isProjectNamed: refInAddress(request.raw) !== undefined,
    findOwner: (token) => owners.ofToken(request, token),
  });
  const failed = failing({ gateway }, socket);
  keepAlive(socket, failed);
  socket.on(
    'close',
    guarded(failed, () => connection.closed()),
  );
  if (owner) connection.sayReady();
  return connection;
}

function refuse(socket: WebSocket, error: unknown): void {
  const failure = described(error);
  socket.send(JSON.stringify({ type: 'error', ...failure }));
  socket.close(refusals[failure.code] ?? closeCodes.notSignedIn, failure.code);
}

const refusals: Readonly<Record<string, number>> = {
  too_many_subscriptions: closeCodes.tooMany,
  origin_not_allowed: closeCodes.foreignOrigin,
};

/** A socket that does not answer is gone, whatever the network says. */
function keepAlive(socket: WebSocket, failed: (error: unknown) => void): void {
  let isAlive = true;
  const hear = () => {
    isAlive = true;
  };
  const look = () => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  };
  socket.on('pong', guarded(failed, hear));
  const timer = setInterval(guarded(failed, look), heartbeatMs);
  socket.on('close', () => clearInterval(timer));
}
