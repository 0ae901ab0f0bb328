import { kill } from 'node:process';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import { run } from '../../../src/platform/db/pool.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { InvalidationListener } from '../../../src/platform/invalidation/invalidation-listener.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
afterEach(() => vi.useRealTimers());

const pool = () => t.cells.pool(t.cells.numbers[0]!);
const backends = async () =>
  (
    await run<{ pid: number }>(
      pool(),
      sql`SELECT pid FROM pg_stat_activity WHERE application_name = 'plinth listener' AND datname = current_database()`,
    )
  ).map(({ pid }) => pid);

test('a connection that is lost while it is being checked is made again at once, not with the next check', async () => {
  const others = await backends();
  const log = pino({ level: 'silent' });
  const listener = new InvalidationListener(new DatabaseServer(t.config.DATABASE_URL, 60_000), log);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await listener.start();
  const [backend] = (await backends()).filter((pid) => !others.includes(pid));
  kill(backend!, 'SIGSTOP');
  try {
    // The only check that there will be.
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    await run(pool(), sql`SELECT pg_terminate_backend(${backend})`);
  } finally {
    // PostgreSQL could not shut down with a process that is stopped.
    kill(backend!, 'SIGCONT');
  }
  await vi.waitFor(async () => {
    const now = (await backends()).filter((pid) => !others.includes(pid));
    expect(now).toHaveLength(1);
    expect(now).not.toEqual([backend]);
    expect(listener.isCurrent).toBe(true);
  }, 60_000);
  await listener.close();
});
