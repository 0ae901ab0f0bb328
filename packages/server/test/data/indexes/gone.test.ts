// @postgres newest

import { expect, test } from 'vitest';
import { eventually, Stored } from '../../support/data/stored.ts';
import { fill, untilBuilt } from '../../support/indexes/fill.ts';
import { deleteRows, removeDeleted } from '../../support/rows.ts';
import { useTestApp } from '../../support/test-app.ts';
import { isWaiting, movedCollection, noteShape, ownTable, traces } from './life-stage.ts';
import { answered, type Moving, makeMoving, openTransaction, tend } from './move-stage.ts';

/** Nodes of the first do their jobs; on the second a test says when they are done. */
const t = useTestApp();
const held = useTestApp({ JOB_CONCURRENCY: '0' });

const indexesOf = (posts: Moving) => answered(held.api.get(`${posts.path}/indexes`));

test('D12: of a collection that is deleted with its indexes nothing stays', async () => {
  const name = 'doomed';
  await fill(t.api, name, 10_000, (at) => ({ n: at, text: `t${at}` }));
  for (const [kind, fields] of [
    ['sort', ['n']],
    ['search', ['text']],
    ['unique', ['n']],
  ])
    await answered(t.api.post(`/collections/${name}/indexes`, { kind, fields }), 201);
  await untilBuilt(t.api, name);
  const { number } = await new Stored(t, t.projects[0]).collection(name);
  await noteShape(t, 0, number);
  expect((await traces(t, { project: 0, number })).length).toBeGreaterThan(4);
  await answered(t.api.delete(`/collections/${name}`));
  expect((await t.api.get(`/collections/${name}/indexes`)).status).toBe(404);
  await eventually('nothing is left', async () => (await traces(t, { project: 0, number })).length === 0);
});

test.each([
  ['moves', { kind: 'sort', fields: ['at'] }, 10_000],
  ['has its values collected', { kind: 'unique', fields: ['at'] }, 3000],
])('D12: a collection that is deleted while it %s leaves nothing', async (what, ask, count) => {
  const posts = await makeMoving(held, `deleted-${count}`, count);
  await using writer = await openTransaction(held);
  const lock = `SELECT FROM cell.documents WHERE project_id = ${posts.projectId} AND id = $1 FOR UPDATE`;
  await writer.query(lock, [posts.ids[2500]]);
  await answered(held.api.post(`${posts.path}/indexes`, ask), 201);
  const tended = tend(held.cells, posts);
  await eventually(`it ${what}`, async () => {
    const [index] = await indexesOf(posts);
    return index.progress?.done > 0;
  });
  const deleted = answered(held.api.delete(posts.path));
  await writer.query('COMMIT');
  await deleted;
  await tended;
  await eventually('nothing is left', async () => {
    await removeDeleted(held.cells.pool(posts.cell));
    return (await traces(held, { project: 0, number: posts.number })).length === 0;
  });
});

test('a collection that is deleted while an index is built is removed when that ends', async () => {
  const posts = await movedCollection(held, 'built');
  await using writer = await openTransaction(held);
  await writer.query(`UPDATE ${ownTable(posts)} SET version = version WHERE id = $1`, [posts.ids[0]]);
  await answered(held.api.post(`${posts.path}/indexes`, { kind: 'search', fields: ['status'] }), 201);
  const tended = tend(held.cells, posts);
  await eventually('it is being built', () => isWaiting(held, /CREATE INDEX CONCURRENTLY/));
  await answered(held.api.delete(posts.path));
  await removeDeleted(held.cells.pool(posts.cell));
  await writer.query('COMMIT');
  await tended;
  await eventually('nothing is left', async () => {
    await removeDeleted(held.cells.pool(posts.cell));
    return (await traces(held, { project: 0, number: posts.number })).length === 0;
  });
});

test('of a project that is deleted with its indexes nothing stays, and its neighbours keep theirs', async () => {
  const { api } = t.projects[1];
  const names = ['one', 'two'];
  for (const name of names) {
    await fill(api, name, name === 'one' ? 10_000 : 10, (at) => ({ n: at, text: `t${at}` }));
    for (const [kind, fields] of [
      ['sort', ['n']],
      ['search', ['text']],
      ['unique', ['n']],
    ])
      await answered(api.post(`/collections/${name}/indexes`, { kind, fields }), 201);
  }
  for (const name of names) await untilBuilt(api, name);
  const stored = new Stored(t, t.projects[1]);
  await noteShape(t, 1, (await stored.collection('two')).number);
  const before = await traces(t, { project: 0 });
  expect((await traces(t, { project: 1 })).length).toBeGreaterThan(5);
  await deleteRows({ id: await stored.projectId(), cell: t.projects[1].cell }, t.cells);
  expect(await traces(t, { project: 1 })).toEqual([]);
  expect(await traces(t, { project: 0 })).toEqual(before);
});
