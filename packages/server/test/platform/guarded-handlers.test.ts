// @postgres newest
import { closeCodes } from '@plinth/protocol';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { Connection } from '../../src/features/live/transports/connection.ts';
import { Replication } from '../../src/platform/change-feed/replication.ts';
import { DatabaseServer } from '../../src/platform/db/database-server.ts';
import { InvalidationListener } from '../../src/platform/invalidation/invalidation-listener.ts';
import { LiveClient } from '../support/live-client.ts';
import { testApp } from '../support/test-app.ts';

/*
 * Throws that are planted in handlers of sockets and connections. Where one got through, it would end this process, and
 * the run would fail. That every handler is guarded is checked by `npm run check:source`.
 */

afterEach(() => void vi.restoreAllMocks());

test('2: what the handler of a socket throws closes that socket, and no other', async () => {
  await using t = await testApp();
  const headers = { 'x-api-key': t.projects[0].apiKey };
  await using other = await LiveClient.open(t.url, headers);
  await using client = await LiveClient.open(t.url, headers);
  vi.spyOn(Connection.prototype, 'take').mockImplementationOnce(() => {
    throw new RangeError('planted');
  });
  client.send({ type: 'ping' });
  expect((await client.closed).code).toBe(1006);
  other.send({ type: 'ping' });
  await other.next('pong');
  vi.spyOn(Connection.prototype, 'closed').mockImplementationOnce(() => {
    throw new RangeError('planted');
  });
  other.socket.close(closeCodes.goingAway);
  await other.closed;
  expect((await t.anonymous.get('/healthz')).status).toBe(200);
});

test('2: an invalidation that cannot be taken bypasses caches until the listener has connected again', async () => {
  await using t = await testApp();
  const listener = new InvalidationListener(
    new DatabaseServer(t.config.DATABASE_URL, 60_000),
    pino({ level: 'silent' }),
  );
  let heard = 0;
  let gaps = 0;
  listener.onTopic('planted', () => {
    heard += 1;
    throw new RangeError('planted');
  });
  listener.onGap(() => (gaps += 1));
  await listener.start();
  await t.cells.pool(1).query(`SELECT pg_notify('plinth', 'planted:1')`);
  await expect.poll(() => heard).toBe(1);
  await expect.poll(() => gaps).toBe(2);
  await expect.poll(() => listener.isCurrent).toBe(true);
  await listener.close();
});

test('2: a failure in a sign of life from the log ends the reading, which says so', async () => {
  await using t = await testApp();
  const pool = t.cells.pool(t.projects[0].cell);
  await pool.query(`SELECT pg_create_logical_replication_slot('planted_' || pg_backend_pid(), 'pgoutput')`);
  const { rows } = await pool.query<{ slot: string }>(
    `SELECT slot_name AS slot FROM pg_replication_slots WHERE slot_name LIKE 'planted%' AND database = current_database()`,
  );
  const replication = new Replication({
    server: new DatabaseServer(t.config.DATABASE_URL, 60_000),
    slot: rows[0]!.slot,
    publications: ['plinth_changes'],
    readRow: () => undefined,
    onCommit: () => undefined,
    onIdle: () => {
      throw new RangeError('planted');
    },
  });
  await expect(replication.run(() => {})).rejects.toThrow('planted');
  await replication.stop();
  // The database notices in its own time that the reader has left.
  await expect
    .poll(async () => {
      const dropped = await pool.query(
        `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active`,
        [rows[0]!.slot],
      );
      return dropped.rowCount;
    })
    .toBe(1);
});
