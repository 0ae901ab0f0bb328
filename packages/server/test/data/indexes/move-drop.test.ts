// @postgres newest
import { expect, test } from 'vitest';
import { eventually } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';
import { answered, beginMove, type Moving, makeMoving, openTransaction, tend } from './move-stage.ts';

const t = useTestApp({ JOB_CONCURRENCY: '0' });

const byPlace = { fields: ['at'], kind: 'sort' };

async function isWaiting(posts: Moving, statement: string): Promise<boolean> {
  const { rows } = await t.cells.pool(posts.cell).query(
    `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ $1`,
    [statement],
  );
  return rows.length > 0;
}

async function objectsOf(posts: Moving): Promise<number> {
  const { rows } = await t.cells
    .pool(posts.cell)
    .query('SELECT FROM pg_index WHERE indrelid = to_regclass($1)', [
      `own.documents_${posts.projectId}_${posts.number}`,
    ]);
  return rows.length;
}

test('an index that is dropped at the moment it is ready stays dropped', async () => {
  const posts = await makeMoving(t, 'dropped', 1500);
  await beginMove(t, posts);
  await answered(t.api.post(`${posts.path}/indexes`, byPlace), 201);
  await tend(t.cells, posts);
  // As if its node had died just before it could note that the index is ready.
  await t.cells
    .pool(posts.cell)
    .query(`UPDATE cell.indexes SET state = 'building' WHERE project_id = $1 AND collection = $2`, [
      posts.projectId,
      posts.number,
    ]);
  await using dropping = await openTransaction(t);
  await dropping.query(
    'SELECT FROM cell.collections WHERE project_id = $1 AND number = $2 FOR NO KEY UPDATE',
    [posts.projectId, posts.number],
  );
  const tended = tend(t.cells, posts);
  await eventually('the ready index waits to be noted', () => isWaiting(posts, 'FOR NO KEY UPDATE'));
  await dropping.query(
    `UPDATE cell.indexes SET state = 'dropping' WHERE project_id = ${posts.projectId} AND collection = ${posts.number};
    COMMIT`,
  );
  await tended;
  expect(await answered(t.api.get(`${posts.path}/indexes`))).toEqual([]);
  expect(await objectsOf(posts)).toBe(1);
});

test('an index that is asked for again while it is dropped is there in the end', async () => {
  const posts = await makeMoving(t, 'again', 1500);
  await beginMove(t, posts);
  await answered(t.api.post(`${posts.path}/indexes`, byPlace), 201);
  await tend(t.cells, posts);
  const [{ id }] = await answered(t.api.get(`${posts.path}/indexes`));
  await answered(t.api.delete(`${posts.path}/indexes/${id}`));
  await using reading = await openTransaction(t);
  await reading.query(`SELECT FROM own.documents_${posts.projectId}_${posts.number} LIMIT 1`);
  const tended = tend(t.cells, posts);
  await eventually('dropping waits for a reader', () => isWaiting(posts, 'DROP INDEX'));
  await answered(t.api.post(`${posts.path}/indexes`, byPlace), 201);
  await reading.query('COMMIT');
  await tended;
  expect(await answered(t.api.get(`${posts.path}/indexes`))).toMatchObject([{ state: 'ready' }]);
  expect(await objectsOf(posts)).toBe(2);
});
