import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { noUsage } from '../../../src/features/control/usage/usage.ts';
import { addToHours } from '../../../src/features/control/usage/usage-store.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

test('a batch that is sent again, because nobody knew whether it had arrived, counts once', async () => {
  const pool = t.cells.pool(1);
  const hour = new Date('2030-01-01T10:00:00Z');
  const batch = (process: string, number: number) =>
    addToHours(pool, {
      process,
      number,
      hours: [
        {
          projectId: '4711',
          hour,
          usage: { ...noUsage(), reads: 5, durations: [5, ...noUsage().durations.slice(1)] },
        },
      ],
    });
  const [one, other] = [randomUUID(), randomUUID()];
  await batch(one, 1);
  await Promise.all([batch(one, 1), batch(one, 1), batch(other, 1)]);
  await batch(one, 2);
  const { rows } = await pool.query<{ reads: string; durations: number[] }>(
    'SELECT reads, durations FROM cell.usage_hours WHERE project_id = 4711',
  );
  expect(rows).toEqual([{ reads: '15', durations: [15, ...noUsage().durations.slice(1)] }]);
});
