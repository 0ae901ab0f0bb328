import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploy } from '../../server/test/support/code/deploy.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

/** As `@plinth/runtime` makes them; what is deployed here has no bundler. */
const trigger = (parts: string, run: string) =>
  `export default { [Symbol.for('plinth.trigger')]: true, options: {}, ${parts}, run: async (event, ctx) => { ${run} } }`;

const note = `await ctx.db.collection('log').create({ of: event.id })`;
const hook = (run: string) => trigger(`kind: 'hook', event: 'post_create', collection: 'orders'`, run);
const files = (run: string) => ({
  'order-created.js': hook(run),
  'check-order.js': trigger(`kind: 'hook', event: 'pre_create', collection: 'orders'`, ''),
  'digest.js': trigger(`kind: 'task'`, note),
  'daily-report.js': trigger(
    `kind: 'schedule', cron: '0 0 9 1 1 *', options: { timeZone: 'Asia/Tokyo' }`,
    note,
  ),
});

describe.skipIf(isMissing('chromium'))('what runs by itself', () => {
  let t: TestApp;
  let opened: OpenedProject;
  beforeAll(async () => {
    t = await testApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });
    opened = await openProject(t);
    for (const name of ['orders', 'log']) await opened.server.post('/collections', { name });
  });
  afterAll(async () => {
    await opened?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const logged = async () => (await opened.server.get('/collections/log')).body.data as { of: string }[];

  test('where nothing runs by itself, the pages show how it begins', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Schedules' }).click();
    await ada.see('schedules-empty', 'No schedules yet');
    await page.getByRole('link', { name: 'Hooks', exact: true }).click();
    await ada.see('hooks-empty', 'No hooks yet');
    const deployed = await deploy(opened.server, files(`throw new Error('not yet')`));
    expect(deployed.status, deployed.text).toBe(201);
  });

  test('a schedule says when it runs next, runs when asked, and is paused and let go on', async () => {
    const { ada, server } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByText('09:00 in Asia/Tokyo').waitFor();
    await ada.see('schedules', 'Schedules');
    await page.getByRole('link', { name: 'daily-report' }).click();
    const upcoming = page.getByRole('region', { name: 'Times in both time zones' }).getByRole('row');
    await expect.poll(() => upcoming.count()).toBe(6);
    await page.getByRole('button', { name: 'Run now: daily-report' }).click();
    await expect.poll(logged).toHaveLength(1);
    await page.getByRole('region', { name: 'Runs' }).getByText('succeeded', { exact: true }).waitFor();
    await ada.see('schedule', 'daily-report');
    const isPaused = async () => (await server.get('/schedules')).body.data[0].isPaused;
    await page.getByRole('button', { name: 'Pause: daily-report' }).click();
    await page.getByText('None while it is paused.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(isPaused).toBe(false);
    await expect.poll(() => upcoming.count()).toBe(6);
    await page.getByRole('button', { name: 'Pause: daily-report' }).click();
    await expect.poll(isPaused).toBe(true);
    await page.getByRole('button', { name: 'Resume: daily-report' }).click();
    await expect.poll(isPaused).toBe(false);
  });

  test('an event that fails waits at its hook, is seen whole, and runs again once the hook is mended', async () => {
    const { ada, server } = opened;
    const { page } = ada;
    await server.post('/collections/orders', { total: 3 });
    await page.getByRole('link', { name: 'Hooks', exact: true }).click();
    await page.getByText('1 waiting').waitFor();
    await page.getByText('failing').waitFor();
    await page.getByRole('region', { name: 'Before events' }).getByText('check-order').waitFor();
    await ada.see('hooks', 'Hooks');
    await page.getByRole('link', { name: 'order-created' }).click();
    await page.getByText('failed: not yet').first().waitFor();
    await ada.see('hook', 'order-created');
    for (const cell of t.cells.numbers)
      await t.cells.pool(cell).query(
        // As if it had failed every time.
        `WITH ended AS (DELETE FROM cell.deliveries WHERE event = 'post_create' RETURNING *)
         INSERT INTO cell.dead_deliveries
           (project_id, lane, seq, id, event, payload, bytes, depth, attempts, created_at, last_error)
         SELECT project_id, lane, seq, id, event, payload, bytes, depth, 11, created_at, 'failed: not yet' FROM ended`,
      );
    await page.getByRole('link', { name: 'Dead (1)' }).click();
    expect(new URL(page.url()).searchParams.get('status')).toBe('dead');
    await page.getByRole('link', { name: 'orders.create' }).click();
    await page.getByText('"total": 3').waitFor();
    await ada.see('hook-event', 'orders.create');
    await deploy(server, files(note));
    const before = (await logged()).length;
    await page.getByRole('button', { name: /^Resend/ }).click();
    await expect.poll(async () => (await logged()).length).toBe(before + 1);
    await page.getByText('No longer waiting').waitFor();
  });

  test('a hook is paused and let go on; one that is gone is shown while something waits for it', async () => {
    const { ada, server } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'All events' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused by the team').waitFor();
    const isEnabled = async () =>
      (await server.get('/background-functions/order-created')).body.data.enabled as boolean;
    expect(await isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(isEnabled).toBe(true);
    await server.post('/tasks', {
      function: 'digest',
      runAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await deploy(server, { 'order-created.js': hook(note) });
    await page.getByRole('link', { name: 'Hooks', exact: true }).first().click();
    await page.getByRole('heading', { name: 'No longer deployed' }).waitFor();
    await ada.see('hooks-gone', 'Hooks');
  });
});
