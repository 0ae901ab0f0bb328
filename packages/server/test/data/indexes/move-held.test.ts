// @postgres newest

import { expect, test } from 'vitest';
import { eventually } from '../../support/data/stored.ts';
import { removeDeleted } from '../../support/rows.ts';
import { useTestApp } from '../../support/test-app.ts';
import {
  answered,
  beginMove,
  type Moving,
  makeMoving,
  moveOldest,
  openTransaction,
  placesOf,
  tend,
} from './move-stage.ts';

const t = useTestApp({ JOB_CONCURRENCY: '0' });

async function askForIndex(posts: Moving): Promise<void> {
  await answered(t.api.post(`${posts.path}/indexes`, { fields: ['at'], kind: 'sort' }), 201);
}

test('a document that a writer holds is moved after it, with what was written', async () => {
  const posts = await makeMoving(t, 'held', 10_000);
  const held = posts.ids[4321]!;
  await using writer = await openTransaction(t);
  await writer.query(
    `UPDATE cell.documents SET version = version + 1, data = data || '{"counter": 100}'
    WHERE project_id = $1 AND collection = $2 AND id = $3`,
    [posts.projectId, posts.number, held],
  );
  await askForIndex(posts);
  const tended = tend(t.cells, posts);
  await eventually('all others have moved', async () => (await placesOf(t, posts)).own?.length === 9999);
  expect(await placesOf(t, posts)).toMatchObject({ home: 'moving', shared: [held] });
  expect(await answered(t.api.get(`${posts.path}/${held}`))).toMatchObject({ at: 4321, counter: 0 });
  // Another writer waits behind the first, and finds the document wherever it is then.
  const second = answered(t.api.patch(`${posts.path}/${held}`, { $increment: { counter: 1 } }));
  await writer.query('COMMIT');
  expect(await second).toMatchObject({ counter: 101 });
  await tended;
  const { home, shared, own } = await placesOf(t, posts);
  expect([home, shared, own!.length]).toEqual(['own', [], 10_000]);
  expect(await answered(t.api.get(`${posts.path}/${held}`))).toMatchObject({ at: 4321, counter: 101 });
});

test('a document whose writer gives up is moved as it was', async () => {
  const posts = await makeMoving(t, 'abandoned', 10_000);
  const held = posts.ids[700]!;
  await using writer = await openTransaction(t);
  await writer.query('DELETE FROM cell.documents WHERE project_id = $1 AND collection = $2 AND id = $3', [
    posts.projectId,
    posts.number,
    held,
  ]);
  await askForIndex(posts);
  const tended = tend(t.cells, posts);
  await eventually('all others have moved', async () => (await placesOf(t, posts)).own?.length === 9999);
  await writer.query('ROLLBACK');
  await tended;
  expect(await placesOf(t, posts)).toMatchObject({ home: 'own', shared: [] });
  expect(await answered(t.api.get(`${posts.path}/${held}`))).toMatchObject({ at: 700 });
});

test('nothing moves until the last create that does not know of the move has ended; everything else continues', async () => {
  const posts = await makeMoving(t, 'slow', 10_000);
  const late = posts.ids.at(-1)!.replace(/.{4}$/, '0000');
  await using writer = await openTransaction(t);
  await writer.query(
    'UPDATE cell.document_counts SET documents = documents + 1 WHERE project_id = $1 AND collection = $2 AND slot = 0',
    [posts.projectId, posts.number],
  );
  await writer.query(
    `INSERT INTO cell.documents (project_id, collection, id, updated_at, data) VALUES ($1, $2, $3, 0, '{"at": -1}')`,
    [posts.projectId, posts.number, late],
  );
  await askForIndex(posts);
  const tended = tend(t.cells, posts);
  await eventually('the move has begun', async () => (await placesOf(t, posts)).home === 'moving');
  for (let at = 0; at < 20; at += 1) {
    await answered(t.api.get(`${posts.path}/${posts.ids[at]}`));
    await answered(t.api.patch(`${posts.path}/${posts.ids[at]}`, { $increment: { counter: 1 } }));
  }
  expect((await t.api.get(`${posts.path}/${late}`)).status).toBe(404);
  expect((await placesOf(t, posts)).own).toEqual([]);
  await writer.query('COMMIT');
  expect(await answered(t.api.get(`${posts.path}/${late}`))).toMatchObject({ at: -1 });
  await tended;
  const { home, shared, own } = await placesOf(t, posts);
  expect([home, shared, own!.length]).toEqual(['own', [], 10_001]);
  expect(await answered(t.api.get(`${posts.path}/${late}`))).toMatchObject({ at: -1 });
  expect((await t.api.get(`${posts.path}?limit=1`)).body.total).toBe(10_001);
});

test.each([0, 1, 2])(
  'a collection deleted with %i,000 of its documents moved leaves nothing',
  async (thousands) => {
    const posts = await makeMoving(t, `doomed${thousands}`, 2500);
    await beginMove(t, posts);
    await moveOldest(t, posts, 1000 * thousands);
    await answered(t.api.delete(posts.path));
    expect((await t.api.get(`${posts.path}/${posts.ids[0]}`)).status).toBe(404);
    expect((await t.api.post(posts.path, {})).status).toBe(404);
    await expectNothing(posts);
    // Whoever is asked to go on finds nothing to do.
    await tend(t.cells, posts);
    await expectNothing(posts);
  },
);

test('a collection deleted while another node moves it leaves nothing', async () => {
  const posts = await makeMoving(t, 'chased', 10_000);
  await askForIndex(posts);
  const tended = tend(t.cells, posts);
  await eventually('some have moved', async () => ((await placesOf(t, posts)).own?.length ?? 0) > 1000);
  await answered(t.api.delete(posts.path));
  await tended;
  await expectNothing(posts);
});

async function expectNothing(posts: Moving): Promise<void> {
  await eventually('everything is removed', async () => {
    await removeDeleted(t.cells.pool(posts.cell));
    const { home, shared, own } = await placesOf(t, posts);
    return home === 'gone' && shared.length === 0 && own === undefined;
  });
  const { rows } = await t.cells.pool(posts.cell).query(
    `SELECT collection FROM cell.indexes WHERE project_id = $1 AND collection = $2
    UNION ALL SELECT collection FROM cell.document_counts WHERE project_id = $1 AND collection = $2`,
    [posts.projectId, posts.number],
  );
  expect(rows).toEqual([]);
}

test('a batch that waits in the middle of a move holds nothing that a shorter one needs', async () => {
  const posts = await makeMoving(t, 'circle', 2500);
  await beginMove(t, posts);
  await moveOldest(t, posts, 1000);
  const [moved, between, notMoved] = [posts.ids[0]!, posts.ids[2000]!, posts.ids[2001]!];
  await using holder = await openTransaction(t);
  await holder.query(
    'SELECT FROM cell.documents WHERE project_id = $1 AND collection = $2 AND id = $3 FOR UPDATE',
    [posts.projectId, posts.number, between],
  );
  const increment = (ids: readonly string[]) =>
    answered(
      t.api.post(`${posts.path}/batch-update`, {
        updates: ids.map((id) => ({ id, $increment: { counter: 1 } })),
      }),
    );
  // More than are read at a time.
  const long = increment([...posts.ids.slice(0, 100), between, notMoved]);
  await untilWaiting(posts, 1);
  // Were documents locked part by part, the long one would hold the moved document by now, and a circle could close.
  await increment([moved, notMoved]);
  await holder.query('COMMIT');
  await long;
  for (const id of [moved, notMoved])
    expect(await answered(t.api.get(`${posts.path}/${id}`))).toMatchObject({ counter: 2 });
});

async function untilWaiting(posts: Moving, count: number): Promise<void> {
  await eventually(`${count} wait for a document`, async () => {
    const { rows } = await t.cells.pool(posts.cell).query(
      `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'FOR UPDATE'`,
    );
    return rows.length >= count;
  });
}
