// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Cells } from '../../../src/platform/db/cells.ts';
import { BreakableLink } from '../../support/breakable-link.ts';
import { eventually } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';
import {
  answered,
  beginMove,
  type Moving,
  makeMoving,
  moveOldest,
  openTransaction,
  placesOf,
  stopAfter,
  tend,
} from './move-stage.ts';

const count = 12_000;

const t = useTestApp({ JOB_CONCURRENCY: '0' });

async function begin(name: string): Promise<Moving> {
  const posts = await makeMoving(t, name, count);
  await answered(t.api.post(`${posts.path}/indexes`, { fields: ['at'], kind: 'sort' }), 201);
  return posts;
}

/** A worker that is cut off from its database at once and without a word, as a killed process is. */
async function worker() {
  const link = new BreakableLink(t.config.DATABASE_URL);
  const cells = new Cells(
    new Map([[1, await link.open()]]),
    { size: 4, statementTimeoutMs: 60_000 },
    pino({ level: 'fatal' }),
  );
  return {
    tend: (posts: Moving) => tend(cells, posts),
    kill: () => link.cut(),
    async [Symbol.asyncDispose]() {
      await link.cut();
      await cells.close();
    },
  };
}

async function expectWhole(posts: Moving): Promise<void> {
  const { home, shared, own } = await placesOf(t, posts);
  expect([home, shared]).toEqual(['own', []]);
  expect(own).toEqual(posts.ids.toSorted());
  const { rows } = await t.cells
    .pool(posts.cell)
    .query(`SELECT indisvalid FROM pg_index WHERE indrelid = to_regclass($1) ORDER BY indexrelid`, [
      `own.documents_${posts.projectId}_${posts.number}`,
    ]);
  expect(rows).toEqual([{ indisvalid: true }, { indisvalid: true }]);
  const [index] = await answered(t.api.get(`${posts.path}/indexes`));
  expect(index).toMatchObject({ state: 'ready', failure: null });
  const found = await answered(t.api.get(`${posts.path}?at__gte=5000&orderBy=at&limit=3`));
  expect(found.map(({ at }: { at: number }) => at)).toEqual([5000, 5001, 5002]);
  expect((await t.api.get(`${posts.path}?limit=1`)).body.total).toBe(count);
}

test('work that is stopped ten times at random steps ends right', async () => {
  const posts = await begin('stopped');
  for (let stop = 0; stop < 10; stop += 1) {
    // Ten times four steps are enough for all: some stop after everything is done.
    await tend(t.cells, posts, stopAfter(Math.floor(Math.random() * 4))).catch((error: Error) => {
      expect(error.message).toBe('stopped here');
    });
    const { shared, own } = await placesOf(t, posts);
    expect([...shared, ...(own ?? [])].toSorted()).toEqual(posts.ids.toSorted());
  }
  await tend(t.cells, posts);
  await expectWhole(posts);
});

test('work whose node dies ten times at random moments ends right', async () => {
  const posts = await begin('killed');
  const homes: string[] = [];
  for (let kill = 0; kill < 10; kill += 1) {
    await using dying = await worker();
    const tended = dying.tend(posts).catch(() => {});
    await sleep(Math.random() * 500);
    await dying.kill();
    await tended;
    const { home, shared, own } = await placesOf(t, posts);
    homes.push(home);
    expect([...shared, ...(own ?? [])].toSorted()).toEqual(posts.ids.toSorted());
  }
  console.log(`killed ten times: ${homes.join(', ')}`);
  await tend(t.cells, posts);
  await expectWhole(posts);
});

test('an index whose node dies while PostgreSQL builds it is taken over before the build would end', async () => {
  const posts = await begin('orphaned');
  const pool = t.cells.pool(posts.cell);
  await using holder = await openTransaction(t);
  // Building an index waits for those who wrote to the table before it.
  await beginMove(t, posts);
  await moveOldest(t, posts, count);
  await holder.query(
    `UPDATE own.documents_${posts.projectId}_${posts.number} SET version = version WHERE id = $1`,
    [posts.ids[0]],
  );
  const builds = async () => {
    const { rows } = await pool.query(
      'SELECT pid FROM pg_stat_progress_create_index WHERE datname = current_database()',
    );
    return rows.map(({ pid }: { pid: number }) => pid);
  };
  await using dying = await worker();
  const died = dying.tend(posts).catch(() => {});
  await eventually('the build waits', async () => (await builds()).length === 1);
  const [first] = await builds();
  await dying.kill();
  await died;
  const tended = tend(t.cells, posts);
  // Sooner than a wait for a lock ends by itself, after 48 s.
  await eventually(
    'PostgreSQL gives up the work of the dead',
    async () => !(await builds()).includes(first!),
    30,
  );
  await holder.query('COMMIT');
  await tended;
  await expectWhole(posts);
});
