// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startNodeOf } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

/** A few for a few seconds to notice; 100,000 for five minutes in `npm run test:schedules`. */
const schedules = Number(process.env.PLINTH_TEST_SCHEDULES ?? 600);
const seconds = Number(process.env.PLINTH_TEST_SCHEDULE_SECONDS ?? 12);
const ofAProject = 50;
/** Each runs once in so many seconds: those of a minute's parts in the short run, of five minutes in the long one. */
const period = seconds < 60 ? 6 : 300;
/**
 * What is due is begun within this time, also while nodes die: they look every second. A short run ends while some may be
 * starting, which takes a busy machine long.
 */
const latestMs = seconds < 60 ? 60_000 : 10_000;

// This node begins nothing: whatever is there was begun by those that are killed.
const t = useTestApp({ DELIVERY_CONCURRENCY: '0' });

const cronAt = (offset: number) =>
  period < 60 ? `${offset}-59/${period} * * * * *` : `${offset % 60} ${Math.floor(offset / 60)}-59/5 * * * *`;

test(
  `each due run of ${schedules} schedules is there once, while three nodes are killed for ${seconds} seconds`,
  async () => {
    const pool = t.cells.pool(t.cells.numbers[0]!);
    const crons = Array.from({ length: period }, (_, offset) => cronAt(offset));
    // Some are due before anybody looks.
    const begun = Math.floor(Date.now() / 1000 / period) * period;
    // Lanes without a subscriber: their runs stay where they are, to be counted.
    await pool.query(
      `INSERT INTO cell.schedules (project_id, name, lane, cron, zone, missed, overlap, next_at)
       SELECT 1000000 + n / ${ofAProject}, 'tick' || n, n, ($1::text[])[1 + n % ${period}], 'UTC', 'all', 'allow',
         to_timestamp($2::int + n % ${period})
       FROM generate_series(0, $3::int - 1) AS n`,
      [crons, begun, schedules],
    );
    const start = () => startNodeOf(t, { DELIVERY_CONCURRENCY: '20' });
    const nodes = await Promise.all([start(), start(), start()]);
    const late = async () =>
      (
        await pool.query<{ late: number }>(
          `SELECT coalesce(extract(epoch FROM now() - min(next_at)) * 1000, 0)::int AS late FROM cell.schedules`,
        )
      ).rows[0]!.late;
    // What was due while they started is not what this is about.
    await expect.poll(late, { timeout: 120_000 }).toBeLessThan(2000);
    let kills = 0;
    const until = Date.now() + seconds * 1000;
    while (Date.now() < until) {
      await sleep(1000 + Math.random() * 4000);
      const at = Math.floor(Math.random() * nodes.length);
      await nodes[at]!.process.stop('SIGKILL');
      kills += 1;
      nodes[at] = await start();
    }
    const latest = await late();
    // Whoever is left catches up.
    await expect.poll(late, { timeout: 120_000 }).toBeLessThan(2000);
    await Promise.all(nodes.map(({ process }) => process.stop('SIGKILL')));
    const { rows } = await pool.query<{ runs: number; wrong: number }>(
      `WITH due AS (
         SELECT lane, at FROM cell.schedules,
           generate_series(to_timestamp($1::int + lane % ${period}), next_at - interval '1 s', interval '${period} s') AS at
       ), begun AS (
         SELECT lane, (payload ->> 'at')::timestamptz AS at, count(*) AS times
         FROM cell.deliveries WHERE event = 'schedule' GROUP BY 1, 2
       )
       SELECT count(due.at)::int AS runs, (count(*) FILTER (WHERE due.at IS NULL OR times IS DISTINCT FROM 1))::int AS wrong
       FROM due FULL JOIN begun USING (lane, at)`,
      [begun],
    );
    const [{ runs, wrong }] = rows as [{ runs: number; wrong: number }];
    console.log(
      `${schedules} schedules, ${kills} kills of three nodes: ${runs} runs were due, ${wrong} of them missing or there ` +
        `more than once; the latest was ${Math.max(0, latest)} ms late when the killing ended`,
    );
    expect(wrong).toBe(0);
    expect(runs).toBeGreaterThan(schedules / 2);
    expect(latest).toBeLessThan(latestMs);
  },
  seconds * 1000 + 480_000,
);
