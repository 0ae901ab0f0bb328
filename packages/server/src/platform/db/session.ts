import type { Client, Pool } from 'pg';
import { guarded } from '../guarded.ts';
import { Connection, NoAnswerError } from './connection.ts';
import type { DatabaseServer } from './database-server.ts';
import { run } from './pool.ts';
import { sql } from './sql.ts';

const lookEveryMs = 5000;
/** A server that cannot be asked for so long is gone, and the session with it. */
const lostAfterMs = 30_000;

interface SessionOptions {
  readonly server: DatabaseServer;
  /** Further connections to the same database, to look after the session with. */
  readonly pool: Pool;
  readonly signal: AbortSignal;
}

/**
 * Does work on a connection of its own, without a time limit. What it set or locked ends with the connection. A statement
 * that is running when the signal comes is cancelled. One that takes hours cannot be told from one whose server has
 * vanished: so PostgreSQL is asked over other connections whether it still serves the session.
 */
export async function withSession<Result>(
  { server, pool, signal }: SessionOptions,
  work: (connection: Client) => Promise<Result>,
): Promise<Result> {
  const connection = new Connection(server, { application_name: 'plinth session' });
  await connection.connect();
  const { process } = connection;
  const cancel = () => void cancelProcess(pool, process);
  signal.addEventListener('abort', cancel, { once: true });
  const watch = watchProcess(pool, process, () => connection.cut(new NoAnswerError(lostAfterMs)));
  try {
    signal.throwIfAborted();
    return await work(connection);
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', cancel);
    await connection.end();
  }
}

/** If the database cannot be reached the statement has ended anyway. */
async function cancelProcess(pool: Pool, process: number): Promise<void> {
  await run(pool, sql`SELECT pg_cancel_backend(${process})`).catch(() => {});
}

/** Asks now and then whether the process is there. */
function watchProcess(pool: Pool, process: number, lost: () => void): NodeJS.Timeout {
  let seenAt = performance.now();
  const look = async () => {
    const found = await run(
      pool,
      sql`SELECT FROM pg_stat_activity WHERE pid = ${process} AND application_name = 'plinth session'`,
    );
    if (found.length === 0) return lost();
    seenAt = performance.now();
  };
  const failed = () => {
    if (performance.now() - seenAt > lostAfterMs) lost();
  };
  return setInterval(guarded(failed, look), lookEveryMs);
}
