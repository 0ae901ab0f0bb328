// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hears, ownServer, resyncs, textsOf, writeAgain } from './failover-scene.ts';
import type { PromotablePostgres } from './promotable-postgres.ts';

/** The process of PostgreSQL that tells a node of commits, and whether it has told all there are. */
async function teller(postgres: PromotablePostgres): Promise<{ pid: number; isDone: boolean } | undefined> {
  const [row] = await postgres.query<{ pid: number; isDone: boolean }>(
    `SELECT pid, sent_lsn >= pg_current_wal_flush_lsn() AS "isDone" FROM pg_stat_replication
      JOIN pg_replication_slots ON active_pid = pid WHERE database = 'first'`,
  );
  return row;
}

async function waitingCommits(postgres: PromotablePostgres, statement: string): Promise<number> {
  const found = await postgres.query(
    `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND strpos(query, '${statement}') > 0`,
  );
  return found.length;
}

/** A server that was told to read its settings does so a moment later: until then it commits as before. */
async function untilCommitsWait(postgres: PromotablePostgres): Promise<void> {
  await expect
    .poll(() => {
      // Not awaited: the one that waits does so until the end of the test.
      postgres.query(`SELECT pg_logical_emit_message(true, 'trial', '')`).catch(() => {});
      return waitingCommits(postgres, 'trial');
    })
    .toBeGreaterThan(0);
}

test('a commit that waits for its synchronous standby is told once it can be read, and not before', async () => {
  await using s = await ownServer({});
  const { t, postgres, client } = s;
  await writeAgain(t, 'one');
  await hears(client, 'one');
  await postgres.query(`ALTER SYSTEM SET synchronous_standby_names = 'away'`);
  await postgres.query('SELECT pg_reload_conf()');
  await untilCommitsWait(postgres);
  const waiting = t.api.post('/collections/notes', { text: 'waits' });
  await expect.poll(() => waitingCommits(postgres, 'WITH held')).toBe(1);
  // Whoever takes the slot up now finds nothing that can be told, and stays nevertheless.
  await postgres.query(`SELECT pg_terminate_backend(${(await teller(postgres))?.pid})`);
  const stays = async () => {
    const next = await teller(postgres);
    // PostgreSQL gives up on a holder that is silent for 3 s.
    await sleep(4500);
    return next?.isDone === true && next.pid === (await teller(postgres))?.pid;
  };
  await expect.poll(stays).toBe(true);
  expect(await textsOf(t)).toEqual(['one']);
  expect(client.messages.filter(({ type }) => type === 'event')).toEqual([]);

  await postgres.query('ALTER SYSTEM RESET synchronous_standby_names');
  await postgres.query('SELECT pg_reload_conf()');
  expect((await waiting).status).toBe(201);
  await hears(client, 'waits');
  expect(resyncs(client)).toBe(0);
});
