import { expect, test } from 'vitest';
import { deleteProject, getProject } from '../../../src/features/control/projects/index.ts';
import { tendPartitions } from '../../../src/features/control/requests/index.ts';
import type { Pool } from '../../../src/platform/db/pool.ts';
import { deleteRows } from '../../support/rows.ts';
import { testApp, useTestApp } from '../../support/test-app.ts';
import { readLog } from './read-log.ts';

const t = useTestApp();
const dayMs = 86_400_000;

async function partitions(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; kind: string }>(
    `SELECT relname AS name, relpersistence AS kind FROM pg_class
     WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'cell.requests'::regclass) ORDER BY 1`,
  );
  expect(rows.every(({ kind }) => kind === 'u')).toBe(true);
  return rows.map(({ name }) => name);
}

function namesFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(first + at * dayMs).toISOString().slice(0, 10);
    return `requests_${day.replaceAll('-', '')}`;
  });
}

test('days are made ahead, and dropped when they are too old; many nodes may do so at once', async () => {
  await using own = await testApp();
  // A node makes the days from today on itself.
  await own.app.stop();
  const pool = own.cells.pool(2);
  const start = Date.UTC(2030, 1, 27, 23);
  await tendPartitions(pool, 0);
  await Promise.all(Array.from({ length: 4 }, () => tendPartitions(pool, 3, start)));
  expect(await partitions(pool)).toEqual(namesFrom(start, 3));
  for (let day = 1; day <= 6; day += 1) await tendPartitions(pool, 3, start + day * dayMs);
  expect(await partitions(pool)).toEqual(namesFrom(start + 3 * dayMs, 6));
  await tendPartitions(pool, 1, start + 6 * dayMs);
  expect(await partitions(pool)).toEqual(namesFrom(start + 5 * dayMs, 4));
  await tendPartitions(pool, 0);
  expect(await partitions(pool)).toEqual([]);
});

test('of a deleted project nothing stays, also of calls that are still to be written; its neighbour keeps all', async () => {
  const neighbour = await t.createProject();
  await t.createProject();
  const doomed = await t.createProject();
  expect(doomed.cell).toBe(neighbour.cell);
  for (const { api } of [doomed, neighbour]) await api.get('/collections');
  for (const { ref } of [doomed, neighbour])
    await expect.poll(async () => (await readLog(t, ref)).length).toBe(1);
  const { id } = await getProject(t.control, doomed.ref);
  await doomed.api.get('/collections');
  await deleteProject(t.control, t.cells, doomed.ref, deleteRows);
  await neighbour.api.get('/collections');
  await expect.poll(async () => (await readLog(t, neighbour.ref)).length).toBe(2);
  const { rows } = await t.cells
    .pool(doomed.cell)
    .query('SELECT FROM cell.requests WHERE project_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('with REQUEST_LOG_DAYS=0 nothing is kept', async () => {
  await using off = await testApp({ REQUEST_LOG_DAYS: '0' });
  const [{ api, cell }] = off.projects;
  await api.get('/collections');
  await off.app.stop();
  const { rows } = await off.cells.pool(cell).query('SELECT FROM cell.requests');
  expect(rows).toEqual([]);
});
