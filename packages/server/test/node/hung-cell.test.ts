// @postgres newest
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Housekeeping } from '../../src/node/housekeeping.ts';
import { tables } from '../../src/node/tables.ts';
import { openBlobStore } from '../../src/platform/blobs/open-blob-store.ts';
import { parseCells } from '../../src/platform/config/config.ts';
import { Cells } from '../../src/platform/db/cells.ts';
import { ownLease } from '../../src/platform/leases/lease.ts';
import { BreakableLink } from '../support/breakable-link.ts';
import { Client } from '../support/client.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('a cell that hangs does not keep the others from being tidied', async () => {
  await using link = new BreakableLink(t.config.CELL_DATABASE_URLS.slice('2='.length));
  const urls = parseCells({ ...t.config, CELL_DATABASE_URLS: `2=${await link.open()}` });
  const log = pino({ level: 'fatal' });
  const cells = new Cells(urls, { size: 4, statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 }, log);
  const blobs = await openBlobStore(t.config);
  let rounds = 0;
  const housekeeping = new Housekeeping({
    cells,
    blobs,
    log,
    tables,
    findProject: async () => undefined,
    // It is done in the first cell, and first of all.
    removeDue: async () => void (rounds += 1),
    requestLogDays: 1,
    leaseOf: () => ownLease,
    holdingsOf: () => Promise.reject(new Error('There are no projects.')),
  });
  // What hangs has been connected before.
  await cells.pool(2).query('SELECT 1');
  expect(link.silence()).toBe(1);
  for (let round = 1; round <= 3; round += 1) {
    housekeeping.soon();
    await expect.poll(() => rounds).toBeGreaterThanOrEqual(round);
  }
  await link.cut();
  await housekeeping.stop();
  await blobs.close();
  await cells.close();
});

test('a project in a cell that a node does not know waits, with an answer that says so, and others are served', async () => {
  const { url } = await t.node({ CELL_DATABASE_URLS: '' });
  const [known, unknown] = t.projects.map(({ apiKey }) => new Client(url, { 'x-api-key': apiKey }));
  expect((await known!.get('/collections')).status).toBe(200);
  for (const answer of [
    await unknown!.get('/collections'),
    await unknown!.post('/collections', { name: 'posts' }),
    await unknown!.get('/collections/posts'),
    await unknown!.post('/auth-collections/login', { email: 'ada@example.com', password: 'a long password' }),
    await unknown!.get('/storage/list'),
    await unknown!.post('/realtime/ticket', {}),
  ]) {
    expect(answer).toFailWith(503, 'engine_unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).not.toContain('CELL_DATABASE_URLS');
  }
});
