import { createHash } from 'node:crypto';
import type { CommonConnectionOptions, SecureContextOptions } from 'node:tls';

/**
 * What a connection between a node and a pool is for. A node opens both: over one it gives calls to the pool, over the other
 * the pool asks the node for what those calls need. So a pool has to reach nobody, and knows no address of the service.
 */
export const purposes = { calls: 'plinth-calls/1', asks: 'plinth-asks/1' } as const;

/** How a connection is secured: the shared secret alone proves each side to the other, and past keys open nothing. */
export const secured: SecureContextOptions & CommonConnectionOptions = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  // Later versions of TLS have no such keys in Node.
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
};

export function keyOf(secret: string): Buffer {
  return createHash('sha256').update(`plinth functions\n${secret}`).digest();
}

/** What both sides of HTTP/2 allow each other: they trust each other, and many calls share a connection. */
export const sessionOptions = {
  maxSessionMemory: 1000,
  settings: { maxConcurrentStreams: 10_000, enablePush: false },
};
