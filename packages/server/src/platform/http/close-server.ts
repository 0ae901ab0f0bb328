import type { Socket } from 'node:net';
import type { HttpServer } from './server.ts';

const lookEveryMs = 100;

/**
 * Returns the function that closes the server. A connection whose last answer is still on its way becomes idle later, and
 * one over which nothing has come never does by itself. Both are looked for until all are gone.
 */
export function closing(http: HttpServer): () => Promise<void> {
  const unused = new Set<Socket>();
  http.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  http.server.on('request', ({ socket }) => unused.delete(socket));
  return async () => {
    const timer = setInterval(() => {
      http.server.closeIdleConnections();
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    }, lookEveryMs);
    try {
      await http.close();
    } finally {
      clearInterval(timer);
    }
  };
}
