import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { guarded } from '../../../platform/guarded.ts';
import { AskingPace, mostConnections } from './asking-pace.ts';

/** What the code asks, and where it is answered. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Opens the one way out of a process: a socket on which its code asks for things, no faster than it may. */
export function listenToCode(
  path: string,
  { onAsked, onTooMuch }: { onAsked: (exchange: Exchange) => void; onTooMuch: (why: string) => void },
): Server {
  const pace = new AskingPace();
  const server = createServer(
    guarded(
      () => onTooMuch('it could not be answered'),
      (request: IncomingMessage, response: ServerResponse) => {
        if (pace.begin(response)) return pace.turn().then(() => onAsked({ request, response }));
        // There may be thousands in what was read at once: each costs as little as can be.
        request.socket.destroy();
        onTooMuch('it asked for too much at once');
      },
    ),
  );
  server.maxConnections = mostConnections;
  const connected = guarded(
    () => {},
    () => pace.connect() || onTooMuch('it connected too often'),
  );
  server.on('connection', connected);
  server.on('drop', connected);
  // A process may have a user id of its own.
  server.listen({ path, writableAll: true, readableAll: true });
  server.on('error', () => {});
  return server;
}

export function refuseToAnswer({ response }: Exchange): void {
  const refusal = 'It was not asked within a call that is under way.';
  response.writeHead(403, { 'x-plinth-refused': refusal, 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'credential_required', message: refusal } }));
}
