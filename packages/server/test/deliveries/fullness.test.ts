import { expect, test } from 'vitest';
import { Subscribers } from '../../src/features/deliveries/index.ts';
import { watchFullness } from '../../src/features/deliveries/watch-fullness.ts';
import { newLane } from '../support/deliveries/stage.ts';
import { useTestApp } from '../support/test-app.ts';

// The node itself does not look who is full.
const t = useTestApp({ DELIVERY_CONCURRENCY: '0' });
const most = { waiting: 100, bytes: 10_000, bytesOfProject: 30_000 };

test('whoever is told too slowly is full until it has caught up; whoever fails is served no more', async () => {
  const subscribers = new Subscribers({
    cells: t.cells,
    listeners: new Map(),
    readFilter: async () => () => true,
  });
  const { cell } = t.projects[0];
  const pool = t.cells.pool(cell);
  const disabled: number[] = [];
  const look = () =>
    watchFullness(
      {
        cells: t.cells,
        subscribers,
        disable: async (_cell, { lane, projectId }, reason) => {
          expect(reason).toBe('too_many_waiting');
          disabled.push(lane);
          await subscribers.disable(t.cells.forProject({ id: projectId, cell }), lane, reason);
        },
      },
      cell,
      most,
    );
  const lanes = await Promise.all(
    ['few', 'many', 'large', 'failing'].map(() => newLane(t, t.projects[0].ref, 'nobody')),
  );
  const [few, many, large, failing] = lanes.map(({ lane }) => lane);
  const { id } = lanes[0]!.project;
  const fillLane = (project: string, lane: number | undefined, count: number, bytes: number) =>
    pool.query(
      `INSERT INTO cell.deliveries (project_id, lane, id, event, payload, bytes)
       SELECT $1, $2, gen_random_uuid(), 'x', '{}', $4 FROM generate_series(1, $3)`,
      [project, lane, count, bytes],
    );
  const fill = (lane: number | undefined, count: number, bytes: number) => fillLane(id, lane, count, bytes);
  await fill(few, 99, 1);
  await fill(many, 150, 1);
  await fill(large, 3, 5000);
  await fill(failing, 150, 1);
  await pool.query('INSERT INTO cell.lanes (project_id, lane, failures) VALUES ($1, $2, 3)', [id, failing]);
  const full = async () => {
    const { rows } = await pool.query<{ lane: number }>('SELECT lane FROM cell.subscribers WHERE is_full');
    return new Set(rows.map(({ lane }) => lane));
  };
  await look();
  expect(await full()).toEqual(new Set([many, large]));
  expect(disabled).toEqual([failing]);
  const remove = (lane: number | undefined, keep: number) =>
    pool.query(
      `DELETE FROM cell.deliveries WHERE project_id = $1 AND lane = $2 AND seq NOT IN (
         SELECT seq FROM cell.deliveries WHERE project_id = $1 AND lane = $2 LIMIT $3)`,
      [id, lane, keep],
    );
  await remove(many, 90);
  await remove(large, 0);
  await look();
  // Not before there is room again.
  expect(await full()).toEqual(new Set([many]));
  await remove(many, 79);
  await look();
  expect(await full()).toEqual(new Set());
  expect(disabled).toEqual([failing]);
  // Each below its own limit, all together above that of their project: the longest waits.
  const more = await Promise.all(['a', 'b', 'c'].map(() => newLane(t, t.projects[0].ref, 'nobody')));
  const [first, second, third] = more.map(({ lane }) => lane);
  const elsewhere = await newLane(t, t.projects[1].ref, 'nobody');
  await fill(first, 3, 3100);
  await fill(second, 3, 3200);
  await fill(third, 3, 3300);
  await fill(large, 3, 3000);
  await fillLane(elsewhere.project.id, elsewhere.lane, 3, 3300);
  await look();
  expect(await full()).toEqual(new Set([third]));
  await remove(first, 0);
  await look();
  expect(await full()).toEqual(new Set([third]));
  await remove(third, 2);
  await look();
  expect(await full()).toEqual(new Set());
});
