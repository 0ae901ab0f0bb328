import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/src/platform/db/sql.ts';
import type { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { projectWithLimits } from '../../server/test/support/project-with-limits.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { choose } from './choose.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

const hourMs = 3_600_000;

describe.skipIf(isMissing('chromium'))('what a project uses', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  let project: string;
  let ref: string;
  beforeAll(async () => {
    // What is said of the current hour must not move into the last one meanwhile.
    const restMs = hourMs - (Date.now() % hourMs);
    if (restMs < 300_000) await new Promise((resolve) => setTimeout(resolve, restMs));
    t = await testApp();
    const opened = await openProject(t);
    ({ ada, server, ref } = opened);
    project = opened.at('');
  }, 900_000);
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  /** What processes would have counted in an hour; they write it down only now and then. */
  async function addHour(hoursAgo: number, reads: number, failures: number) {
    const db = t.cells.forProject(await projectWithLimits(t.control, ref));
    const hour = new Date(Math.floor(Date.now() / hourMs) * hourMs - hoursAgo * hourMs);
    await db.query(sql`INSERT INTO cell.usage_hours
      (project_id, hour, reads, writes, auths, failures, limited, ms_total, bytes_in, bytes_out, durations)
      VALUES (${db.scope}, ${hour}, ${reads}, 0, 0, ${failures}, 0, 100, 2048, 40960, ${[0, 0, 0, reads, 0, 0, 0, 0, 0, 0, 0, 0]})`);
  }

  /** What housekeeping would have noted of a day. */
  async function addDay(daysAgo: number, documents: number, users: number) {
    const db = t.cells.forProject(await projectWithLimits(t.control, ref));
    await db.query(sql`INSERT INTO cell.usage_days (project_id, day, documents, document_bytes, storage_bytes, users)
      VALUES (${db.scope}, (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int, ${documents}, 2560, 4096, ${users})`);
  }

  /** What the service notes of lists that take long, which none does with so few documents. */
  async function addSlowList() {
    const db = t.cells.forProject(await projectWithLimits(t.control, ref));
    const [{ number }] = (await server.get('/collections')).body.data;
    const shape = { conditions: [{ field: 'name', use: 'key' }], sort: [], isDisjunctive: false };
    const durations = Array.from({ length: 16 }, (_, at) => (at === 7 ? 310 : 0));
    await db.query(sql`INSERT INTO cell.query_shapes (project_id, collection, hash, shape, calls, durations, documents)
      VALUES (${db.scope}, ${number}, sha256('name'), ${JSON.stringify(shape)}::jsonb, 310, ${durations}, 1)`);
  }

  test('the first steps are done, and the home says how the project is', async () => {
    const { page } = ada;
    await server.post('/collections', { name: 'people', settings: { rules: { read: 'public' } } });
    await server.post('/collections/people', { name: 'Eve', email: 'eve@example.com' });
    await server.get('/collections/people');
    await addHour(3, 400, 8);
    await addHour(5, 90, 0);
    await page.getByRole('status').getByText('Your project is responding.').waitFor();
    await page.goto(project);
    await page.getByRole('heading', { name: 'At a glance' }).waitFor();
    await page.getByText('Anyone can read email in "people".').waitFor();
    expect(await page.getByRole('heading', { name: 'Get started' }).count()).toBe(0);
    await ada.see('home-later', 'Library');
  });

  test('a chart is read, zoomed into and opened by keyboard', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Usage' }).first().click();
    await page.getByText(/Overall: 49\d requests, 8 failed/).waitFor();
    await ada.see('usage', 'Usage');
    const chart = page.getByRole('slider', { name: 'Requests by hour' });
    await chart.focus();
    for (let step = 0; step < 4; step += 1) await chart.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 400 requests, 8 failed$/);
    await chart.press('Shift+ArrowLeft');
    await chart.press('Shift+ArrowLeft');
    await chart.press('Enter');
    await page.getByText('Overall: 490 requests, 8 failed').waitFor();
    await ada.see('usage-zoomed', 'Usage');
    await chart.focus();
    await chart.press('End');
    await chart.press('Enter');
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    const { searchParams } = new URL(page.url());
    const [from, to] = [searchParams.get('from'), searchParams.get('to')].map((time) =>
      Date.parse(time ?? ''),
    );
    expect((to ?? 0) - (from ?? 0)).toBe(hourMs);
    await page.goBack();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByText('Show as a table').click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThanOrEqual(3);
    await ada.see('usage-figures', 'Usage');
  });

  test('the limit of the tier is said, and what was held before', async () => {
    const { page } = ada;
    await addDay(40, 5, 2);
    await addDay(20, 3, 1);
    await page.goto(`${project}/usage`);
    await page
      .getByText(/^The tier allows [\d,.KMB]+ requests per minute, or [\d,.KMB]+ per hour\.$/)
      .waitFor();
    const documents = page.getByRole('listitem').filter({ hasText: /^Documents/ });
    await documents.getByText('−4 in 40 days').waitFor();
    await ada.see('usage-held', 'Usage');
  });

  test('a chart is zoomed into by dragging, and shows other figures and longer times', async () => {
    const { page } = ada;
    const box = await page.getByRole('slider').boundingBox();
    if (!box) throw new Error('There is no chart.');
    await page.mouse.move(box.x + box.width * 0.7, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.95, box.y + 20, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByRole('link', { name: 'Latency' }).click();
    await page
      .getByText(/95% of requests took/)
      .first()
      .waitFor();
    await choose(page.getByRole('radio', { name: '30 days' }));
    await page.getByRole('slider', { name: 'Latency by day' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('month');
  });

  test('advice leads to what can be done, and an index is asked for', async () => {
    const { page } = ada;
    await addSlowList();
    await page.getByRole('link', { name: 'Advice' }).click();
    await page.getByText('Filtered by name').waitFor();
    await ada.see('advice', 'Advice');
    await page.getByRole('button', { name: 'Build index: name' }).click();
    await page.getByText('sort: name').waitFor();
    expect((await server.get('/collections/people/indexes')).body.data).toMatchObject([
      { kind: 'sort', fields: ['name'], automatic: false },
    ]);
    await expect.poll(() => page.getByRole('button', { name: /^Build index/ }).count()).toBe(0);
    await ada.see('advice-index', 'Advice');
    const link = page.getByRole('link', { name: 'Open the rules of people' });
    expect(await link.getAttribute('href')).toBe(`/dashboard/p/${ref}/data/people/rules`);
  });

  test('changes of a collection are heard, and what is said in a room', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Realtime' }).click();
    await ada.see('realtime', 'Realtime');
    await page.getByLabel('Filter').fill('name=Bob');
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await server.post('/collections/people', { name: 'Ann' });
    const made = await server.post('/collections/people', { name: 'Bob' });
    await page.getByRole('link', { name: made.body.data.id }).waitFor();
    expect(await page.getByText('1 change').count()).toBe(1);
    await page.getByLabel('Room name').fill('chat-tea');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('1 member').waitFor();
    await page.getByLabel('Message, as JSON or text').fill('{"text": "The kettle is on."}');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('{"text":"The kettle is on."}').waitFor();
    await ada.see('realtime-live', 'Realtime');
    expect(new URL(page.url()).searchParams.get('room')).toBe('chat-tea');
  });
});
