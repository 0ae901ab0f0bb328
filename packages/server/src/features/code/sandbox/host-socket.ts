import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { guarded } from '../../../platform/guarded.ts';
import { AskingPace, mostConnections } from './asking-pace.ts';
import { inTurns } from './in-turns.ts';

/** What the code asks, and where it is answered. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Opens the one way out of a process: a socket on which its code asks for things, no faster than it may. */
export function listenToCode(
  path: string,
  { onAsked, onTooMuch }: { onAsked: (exchange: Exchange) => void; onTooMuch: (why: string) => void },
): Disposable {
  const pace = new AskingPace();
  const http = createHttpServer(
    guarded(
      () => onTooMuch('it could not be answered'),
      (request: IncomingMessage, response: ServerResponse) => {
        if (pace.begin(request, response)) return pace.turn().then(() => onAsked({ request, response }));
        request.socket.destroy();
        onTooMuch('it asked for too much at once');
      },
    ),
  );
  const connections = new Set<Socket>();
  const connect = guarded(
    () => {},
    (connection?: Socket) => {
      if (!pace.connect()) onTooMuch('it connected too often');
      if (!connection) return;
      connections.add(connection);
      const gone = guarded(
        () => {},
        () => connections.delete(connection),
      );
      connection.on('close', gone);
      connection.on('error', () => {});
      http.emit('connection', inTurns(connection));
    },
  );
  const server = createServer(connect);
  server.maxConnections = mostConnections;
  server.on(
    'drop',
    guarded(
      () => {},
      () => connect(),
    ),
  );
  // A process may have a user id of its own.
  server.listen({ path, writableAll: true, readableAll: true });
  server.on('error', () => {});
  return {
    [Symbol.dispose]() {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

export function refuseToAnswer({ response }: Exchange): void {
  const refusal = 'It was not sent within a call in progress.';
  response.writeHead(403, { 'x-plinth-refused': refusal, 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'credential_required', message: refusal } }));
}
