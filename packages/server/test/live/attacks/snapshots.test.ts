// @postgres newest
import { closeCodes } from '@plinth/protocol';
import { expect, test, vi } from 'vitest';
import { Connection } from '../../../src/features/live/transports/connection.ts';
import { cancelWaiting } from '../../support/data/cancel-waiting.ts';
import { beginFeed, liveApp } from '../live-app.ts';

test('4: a snapshot that runs past its time is answered like a list', async () => {
  await using t = await liveApp();
  await t.newCollection('notes', { rules: { read: 'public' } });
  await using client = await t.live();
  await client.subscribe('notes', { id: 'first' });
  const pool = t.cells.pool(t.projects[0].cell);
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE cell.documents IN ACCESS EXCLUSIVE MODE');
    client.send({ type: 'subscribe', id: 'a', collection: 'notes', snapshot: true });
    await cancelWaiting(pool);
    expect(await client.next('error')).toMatchObject({ id: 'a', code: 'query_too_slow' });
  } finally {
    holder.release(true);
  }
  await client.subscribe('notes', { id: 'b', snapshot: true });
  await client.next('snapshot');
});

test('4: who does not take a snapshot is cut off, and does not keep the place of its project', async () => {
  await using t = await liveApp();
  await t.newCollection('large', { rules: { read: 'public' } });
  const text = 'x'.repeat(400_000);
  for (let n = 0; n < 3; n += 1)
    await t.api.post('/collections/large/batch', { documents: Array.from({ length: 13 }, () => ({ text })) });
  await beginFeed(t, 'large');
  const ended = vi.spyOn(Connection.prototype, 'end');
  await using idle = await t.live({}, `${t.url}/p/${t.projects[0].ref}`);
  idle.socket.pause();
  idle.send({ type: 'subscribe', id: 'a', collection: 'large', snapshot: true });
  await expect
    .poll(() => ended.mock.calls, { timeout: 120_000 })
    .toEqual([[closeCodes.tooSlow, 'messages are not read in time']]);
  idle.socket.terminate();
});
