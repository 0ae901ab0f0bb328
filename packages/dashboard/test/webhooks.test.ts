import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { type Receiver, startReceiver } from '../../server/test/support/webhooks.ts';
import { type OpenedProject, openProject } from './open-project.ts';

describe.skipIf(isMissing('chromium'))('the webhooks of a project', () => {
  let t: TestApp;
  let opened: OpenedProject;
  let receiver: Receiver;
  beforeAll(async () => {
    t = await testApp({ OUTBOUND_ALLOW: '127.0.0.1' });
    receiver = await startReceiver();
    opened = await openProject(t);
    await opened.server.post('/collections', { name: 'orders' });
    await opened.server.post('/collections/orders', { status: 'paid', total: 120 });
  });
  afterAll(async () => {
    await opened?.ada[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  test('one is made with help for events and filters, and its secret is shown once', async () => {
    const { ada, server } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await ada.see('webhooks-empty', 'No webhooks yet');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByLabel('Events').fill('ord');
    await dialog.getByRole('option', { name: 'orders.create' }).click();
    await dialog.getByLabel('Events').press('Escape');
    await dialog.getByLabel('Filter').fill('status__sideways=paid');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Filter').fill('st');
    await dialog.getByRole('option', { name: 'status' }).first().click();
    await dialog.getByLabel('Filter').fill('status=paid');
    await dialog.getByLabel('Description').fill('Tells the warehouse');
    await ada.see('webhook-new', 'New webhook');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'Open the webhook' }).click();
    await page.getByRole('heading', { name: 'Tells the warehouse' }).waitFor();
    await server.post('/collections/orders', { status: 'new' });
    const paid = await server.post('/collections/orders', { status: 'paid' });
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]!.event).toMatchObject({ type: 'orders.create', document: paid.body.data });
    await page.getByRole('link', { name: 'orders.create' }).waitFor();
    await ada.see('webhook', 'Tells the warehouse');
  });

  test('a test shows what came back', async () => {
    const { ada } = opened;
    const { page } = ada;
    receiver.answer((response) => response.writeHead(418).end('short and stout'));
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Returned 418.').waitFor();
    await dialog.getByText('short and stout').waitFor();
    await ada.see('webhook-test', 'Test');
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(receiver.received.at(-1)!.event.type).toBe('test');
  });

  test('what fails waits, is seen whole, and is sent again', async () => {
    const { ada, server } = opened;
    const { page } = ada;
    receiver.answer((response) => response.writeHead(500).end('not today'));
    await server.post('/collections/orders', { status: 'paid', stuck: true });
    await page.getByText('Every attempt has failed since').waitFor();
    await page.getByRole('link', { name: 'Waiting (1)' }).click();
    expect(new URL(page.url()).searchParams.get('status')).toBe('waiting');
    await page.getByText('Returned 500').waitFor();
    await ada.see('webhook-waiting', 'Tells the warehouse');
    await page.getByRole('link', { name: 'orders.create' }).click();
    await page.getByText('not today').first().waitFor();
    await page.getByText('"stuck": true').waitFor();
    await ada.see('webhook-delivery', 'orders.create');
    receiver.answer((response) => response.end('fine'));
    const { length } = receiver.received;
    await page.getByRole('button', { name: /^Retry now/ }).click();
    await expect.poll(() => receiver.received.length).toBe(length + 1);
    expect(receiver.received.at(-1)!.event.document.stuck).toBe(true);
    await page.getByRole('button', { name: /^Resend/ }).waitFor();
    await page.getByRole('link', { name: 'All deliveries' }).click();
    await page.getByRole('heading', { name: 'Tells the warehouse' }).waitFor();
  });

  test('dead ones and those of a time are sent again together', async () => {
    const { ada } = opened;
    const { page } = ada;
    for (const cell of t.cells.numbers)
      await t.cells.pool(cell).query(
        `INSERT INTO cell.dead_deliveries
           (project_id, lane, seq, id, event, payload, bytes, depth, attempts, created_at, last_error)
         SELECT project_id, lane, number, gen_random_uuid(), 'post_create',
           json_build_object('type', 'orders.create', 'dead', true), 1, 0, 10, now(), 'Returned 500.'
         FROM cell.webhooks, generate_series(1, 3) AS number`,
      );
    await page.getByRole('link', { name: 'Dead (3)' }).click();
    const listed = () => page.getByRole('button', { name: /^Resend: orders.create/ }).count();
    await expect.poll(listed).toBe(3);
    const dead = () => receiver.received.filter(({ event }) => event.dead).length;
    await page.getByRole('button', { name: 'Resend several' }).click();
    await ada.see('webhook-replay', 'Resend several');
    const send = page.getByRole('dialog').getByRole('button', { name: 'Resend' });
    await send.click();
    await page.getByText('Resending 3 events.').waitFor();
    await expect.poll(dead).toBe(3);
    await page.getByText('No dead events').waitFor();
    // What has arrived is noted a moment later.
    await page.getByRole('link', { name: 'Delivered', exact: true }).click();
    await expect.poll(listed).toBe(5);
    const { length } = receiver.received;
    await page.getByRole('button', { name: 'Resend several' }).click();
    await page.getByRole('dialog').getByText('Since a time').click();
    await page.getByRole('dialog').getByLabel('From').fill('2026-01-01T00:00');
    await send.click();
    await page.getByText('Resending 5 events.').waitFor();
    await expect.poll(() => receiver.received.length).toBe(length + 5);
  });

  test('it is changed, paused, given another secret, and deleted', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Events').fill('orders.* users.login');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // A filter is about documents.
    await dialog.getByText('A filter only applies to documents.').waitFor();
    await dialog.getByLabel('Filter').fill('');
    await dialog.getByRole('switch', { name: 'One at a time, in order' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('one at a time, as they occurred').waitFor();
    const paused = page.getByText('Paused by the team');
    await page.getByRole('button', { name: 'Pause' }).click();
    await paused.waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await paused.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Pause' }).click();
    await paused.waitFor();
    await ada.see('webhook-paused', 'Tells the warehouse');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByText('last delivered').waitFor();
    await ada.see('webhooks', 'Webhooks');
    await page.getByRole('link', { name: 'Tells the warehouse' }).click();
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await dialog.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
