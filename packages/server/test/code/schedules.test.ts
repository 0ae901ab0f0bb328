// @postgres newest
import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { deploy } from '../support/code/deploy.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

const scheduled = (cron: string, options: string, run: string) =>
  `export default { [Symbol.for('plinth.trigger')]: true, kind: 'schedule', cron: '${cron}', options: ${options},
    run: async (event, ctx) => { ${run} } }`;

const log = `await ctx.db.collection('log').create({ at: event.at, run: event.id })`;
const timesIn = async (api: Client): Promise<string[]> =>
  (await api.get('/collections/log?orderBy=at&limit=100')).body.data.map(({ at }: { at: string }) => at);

test('a schedule runs at its times, once for all nodes, until it is paused or gone', async () => {
  await t.node();
  await t.node();
  const { api } = await t.createProject();
  await api.post('/collections', { name: 'log' });
  const deployed = await deploy(api, {
    'tick.js': scheduled('* * * * * *', `{ missed: 'all', overlap: 'allow' }`, log),
  });
  expect(deployed.status).toBe(201);
  await expect.poll(async () => (await timesIn(api)).length).toBeGreaterThan(3);
  const paused = await api.patch('/schedules/tick', { isPaused: true });
  expect(paused.body.data).toMatchObject({ name: 'tick', isPaused: true, timeZone: 'UTC', missed: 'all' });
  // What was begun before the pause may still be under way.
  let counts = '';
  let since = 0;
  const settled = async () => {
    const runs = (await api.get('/function-runs?function=tick&limit=100')).body.data.length;
    const written = (await timesIn(api)).length;
    if (counts !== `${runs} ${written}`) since = performance.now();
    counts = `${runs} ${written}`;
    return { isSame: runs === written, isQuiet: performance.now() - since > 2000 };
  };
  await expect.poll(settled).toEqual({ isSame: true, isQuiet: true });
  const times = await timesIn(api);
  expect(new Set(times).size).toBe(times.length);
  for (const [at, time] of times.slice(1).entries())
    expect(Date.parse(time) - Date.parse(times[at]!), time).toBe(1000);
  const resumed = await api.patch('/schedules/tick', { isPaused: false });
  expect(Date.parse(resumed.body.data.nextAt)).toBeGreaterThan(Date.parse(times.at(-1)!));
  await deploy(api, {});
  expect((await api.get('/schedules')).body.data).toEqual([]);
  expect((await api.patch('/schedules/tick', { isPaused: true })).body.error.code).toBe('schedule_not_found');
});

test('the next times are told, and a schedule runs when it is asked to, paused or not', async () => {
  const { api } = await t.createProject();
  await api.post('/collections', { name: 'log' });
  await deploy(api, { 'daily.js': scheduled('0 0 9 * * *', `{ timeZone: 'Asia/Tokyo' }`, log) });
  const [listed] = (await api.get('/schedules')).body.data;
  expect(listed.upcoming).toHaveLength(5);
  expect(listed.upcoming[0]).toBe(listed.nextAt);
  for (const time of listed.upcoming) expect(time).toContain('T00:00:00.000Z');
  const paused = await api.patch('/schedules/daily', { isPaused: true });
  expect(paused.body.data.upcoming).toEqual([]);
  const begun = await api.post('/schedules/daily/run');
  expect(begun.status).toBe(201);
  await expect
    .poll(async () => (await api.get('/collections/log')).body.data)
    .toMatchObject([{ run: begun.body.data.id }]);
  expect((await api.post('/schedules/none/run')).body.error.code).toBe('schedule_not_found');
});

test('times that make no sense are refused when they are deployed', async () => {
  const { api } = await t.createProject();
  const refused = await deploy(api, {
    'a.js': scheduled('0 0 31 2 *', '{}', ''),
    'b.js': scheduled('often', '{}', ''),
    'c.js': scheduled('0 9 * * *', `{ timeZone: 'Mars/Olympus' }`, ''),
    'd.js': scheduled('0 0 9 * * * 2030', '{}', ''),
    'e.js': scheduled('0 9 * * *', `{ overlap: 'maybe' }`, ''),
    'f.js': scheduled('0 9 * * *', `{ tineZone: 'UTC' }`, ''),
  });
  expect(refused.body.error.code).toBe('deploy_failed');
  expect(refused.body.error.details.problems).toHaveLength(6);
});

test('a run that takes longer than the time between two leaves the next ones out', async () => {
  const { api } = await t.createProject();
  await api.post('/collections', { name: 'log' });
  await deploy(api, {
    'slow.js': scheduled(
      '* * * * * *',
      '{}',
      `${log}; await new Promise((resolve) => setTimeout(resolve, 2500))`,
    ),
  });
  await expect.poll(async () => (await timesIn(api)).length).toBeGreaterThan(1);
  const [first, second] = await timesIn(api);
  expect(Date.parse(second!) - Date.parse(first!)).toBeGreaterThan(2000);
});

test('a project whose schedule cannot be read holds up no other', async () => {
  const fine = await t.createProject();
  let broken = await t.createProject();
  while (broken.cell !== fine.cell) broken = await t.createProject();
  await fine.api.post('/collections', { name: 'log' });
  for (const { api } of [broken, fine])
    await deploy(api, { 'tick.js': scheduled('* * * * * *', `{ missed: 'all' }`, log) });
  const { rows } = await t.cells
    .pool(1)
    .query('SELECT id FROM control.projects WHERE ref = $1', [broken.ref]);
  const spoilt = await t.cells
    .pool(broken.cell)
    .query(
      `UPDATE cell.schedules SET cron = 'nonsense', next_at = now() - interval '1 day' WHERE project_id = $1`,
      [rows[0].id],
    );
  expect(spoilt.rowCount).toBe(1);
  const before = (await timesIn(fine.api)).length;
  await expect.poll(async () => (await timesIn(fine.api)).length).toBeGreaterThan(before + 1);
});
