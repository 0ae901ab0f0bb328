import type { Pool, PoolClient } from 'pg';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  /** Missing if the pool has ended. */
  release: ((error?: unknown) => void) | undefined,
) => void;

/**
 * When the connection breaks on which the queue listens, the queue may release it twice. The pool would throw, nobody would
 * catch that, and the node would end.
 */
export function releaseOnce(pool: Pool): void {
  const connect = pool.connect.bind(pool);
  const connectOnce = (connected?: Connected): Promise<PoolClient> | void => {
    if (!connected) return connect();
    connect((error, client, release) => {
      let isReleased = false;
      connected(error, client, (reason) => {
        if (!isReleased) release?.(reason);
        isReleased = true;
      });
    });
  };
  pool.connect = connectOnce as Pool['connect'];
}
