import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../server/test/support/client.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { LiveClient } from '../../server/test/support/live-client.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { openProject } from './open-project.ts';
import type { Visitor } from './visitor.ts';

describe.skipIf(isMissing('chromium'))('what is live in a project', () => {
  let t: TestApp;
  let ada: Visitor;
  let server: Client;
  let apiKey: string;
  beforeAll(async () => {
    t = await testApp();
    const opened = await openProject(t);
    ({ ada, server, apiKey } = opened);
    await server.post('/collections', { name: 'people', settings: { rules: { read: 'public' } } });
    await ada.page.goto(opened.at('/realtime'));
  });
  afterAll(async () => {
    await ada?.[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  test('while nobody is there, the pages say how somebody comes', async () => {
    const { page } = ada;
    await page.getByRole('link', { name: 'Connections', exact: true }).click();
    await ada.see('realtime-no-connections', 'No connections');
    await page.getByRole('link', { name: 'Rooms', exact: true }).click();
    await ada.see('realtime-no-rooms', 'No active rooms');
  });

  test('rooms and connections of the moment are shown as they come', async () => {
    const { page } = ada;
    await using live = await LiveClient.open(t.url, { 'x-api-key': apiKey });
    await live.subscribe('people', { filter: 'name=Ann' });
    live.send({ type: 'join', room: 'chat-tea' });
    await live.next('joined');
    const row = page.getByRole('row').filter({ hasText: 'chat-tea' });
    await row.getByText('1 connection').waitFor();
    await page.getByText('As seen by one process').waitFor();
    await ada.see('realtime-rooms', 'Realtime');
    await page.getByRole('link', { name: 'Connections', exact: true }).click();
    const connection = page.getByRole('row').filter({ hasText: 'API key' });
    await connection.getByText('name=Ann').waitFor();
    await connection.getByText('chat-tea').waitFor();
    await ada.see('realtime-connections', 'Realtime');
    await page.getByRole('link', { name: 'Rooms', exact: true }).click();
    await page.getByRole('link', { name: 'Open chat-tea' }).click();
    await page.getByText('2 members').waitFor();
    expect(new URL(page.url()).searchParams.get('room')).toBe('chat-tea');
    const { body } = await server.get('/realtime/connections');
    expect(body.data.map(({ credential }: { credential: string }) => credential)).toEqual([
      'account',
      'apiKey',
    ]);
  });
});
