import type { Socket } from 'node:net';
import { guarded, reporting } from '../guarded.ts';
import type { HttpServer } from './server.ts';

const lookEveryMs = 100;

/**
 * Returns the function that closes the server. A connection whose last answer is still on its way becomes idle later, and
 * one over which nothing has come never does by itself. Both are looked for until all are gone.
 */
export function closing(http: HttpServer): () => Promise<void> {
  const unused = new Set<Socket>();
  const failed = reporting(http.log, 'connections could not be checked');
  http.server.on(
    'connection',
    guarded(failed, (socket: Socket) => {
      unused.add(socket);
      socket.once(
        'close',
        guarded(failed, () => unused.delete(socket)),
      );
    }),
  );
  http.server.on(
    'request',
    guarded(failed, ({ socket }: { socket: Socket }) => unused.delete(socket)),
  );
  return async () => {
    const look = () => {
      http.server.closeIdleConnections();
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    };
    const timer = setInterval(guarded(failed, look), lookEveryMs);
    try {
      await http.close();
    } finally {
      clearInterval(timer);
    }
  };
}
