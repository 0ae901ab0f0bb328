// @postgres newest
import { expect, test } from 'vitest';
import { getProject } from '../../../src/features/control/projects/index.ts';
import { mostOwnTables, roomForOwnTable } from '../../../src/features/data/placement/index.ts';
import { ProjectDb } from '../../../src/platform/db/project-db.ts';
import { fill } from '../../support/indexes/fill.ts';
import { type TestApp, useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

/** Another project whose index work waits in the same line: of the same cell, and as even. */
async function neighbourOf(first: TestApp['projects'][0]): Promise<TestApp['projects'][0]> {
  const { id } = await getProject(t.control, first.ref);
  for (;;) {
    const other = await t.createProject();
    const { id: otherId } = await getProject(t.control, other.ref);
    if (other.cell === first.cell && (BigInt(otherId) - BigInt(id)) % 2n === 0n) return other;
  }
}

const statesOf = async ({ api }: TestApp['projects'][0], name: string): Promise<string[]> =>
  (await api.get(`/collections/${name}/indexes`)).body.data.map(({ state }: { state: string }) => state);

test('tend-queue: one index of a project is ready before the many that another asked for earlier', async () => {
  const [many] = t.projects;
  const few = await neighbourOf(many);
  await few.api.post('/collections', { name: 'small' });
  const fields = Array.from({ length: 12 }, (_, n) => `f${n}`);
  const document = (at: number) => Object.fromEntries(fields.map((field, n) => [field, `word${at} ${n}`]));
  await fill(many.api, 'large', 10_000, document);
  for (const field of fields) {
    const asked = await many.api.post('/collections/large/indexes', { kind: 'search', fields: [field] });
    expect(asked.status, asked.text).toBe(201);
  }
  await few.api.post('/collections/small/indexes', { kind: 'unique', fields: ['u'] });
  await expect.poll(() => statesOf(few, 'small'), { interval: 20 }).toEqual(['ready']);
  expect(await statesOf(many, 'large')).toContain('building');
  await expect
    .poll(() => statesOf(many, 'large'), { interval: 200, timeout: 280_000 })
    .toEqual(fields.map(() => 'ready'));
});

test('tend-queue: a project has a share of the tables of a cell, and leaves the rest to others', async () => {
  const [first] = t.projects;
  const other = await neighbourOf(first);
  const pool = t.cells.pool(first.cell);
  const [greedy, modest] = await Promise.all([first, other].map(({ ref }) => getProject(t.control, ref)));
  const room = ({ id }: { id: string }) => roomForOwnTable(new ProjectDb(pool, id), null);
  expect(await room(greedy!)).toBe('enough');
  const numbers = Array.from({ length: mostOwnTables.ofProject }, (_, n) => 1000 + n);
  for (const number of numbers)
    await pool.query('SELECT cell.create_own_table($1, $2)', [greedy!.id, number]);
  expect(await room(greedy!)).toBe('project full');
  expect(await room(modest!)).toBe('enough');
});
