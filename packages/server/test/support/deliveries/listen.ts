import { getProject } from '../../../src/features/control/projects/index.ts';
import type { TestApp } from '../test-app.ts';
import { newLane } from './stage.ts';

export interface Heard {
  /** What was written down since it was last asked, in order. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it freely
  take(): Promise<any[]>;
}

/** A subscriber to everything whom no node can tell: what is written for it stays where it is. */
export async function listenTo(t: TestApp, ref: string, events = ['*.*', 'users.*']): Promise<Heard> {
  const { project, lane } = await newLane(t, ref, 'nobody');
  const pool = t.cells.pool((await getProject(t.control, ref)).cell);
  await pool.query('UPDATE cell.subscribers SET events = $3 WHERE project_id = $1 AND lane = $2', [
    project.id,
    lane,
    events,
  ]);
  await pool.query(`SELECT pg_notify('plinth', 'subscribers:' || $1)`, [project.id]);
  await t.app.caughtUp();
  return {
    async take() {
      const { rows } = await pool.query<{ seq: string; payload: unknown }>(
        'DELETE FROM cell.deliveries WHERE project_id = $1 AND lane = $2 RETURNING seq, payload',
        [project.id, lane],
      );
      return rows.toSorted((a, b) => Number(a.seq) - Number(b.seq)).map(({ payload }) => payload);
    },
  };
}
