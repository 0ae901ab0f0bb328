// @postgres newest
import { expect, test } from 'vitest';
import { BreakableLink } from '../support/breakable-link.ts';
import { liveApp } from './live-app.ts';

test('a log that fell silent is read again over another connection, and nothing is missed', async () => {
  await using t = await liveApp();
  await using link = new BreakableLink(t.config.DATABASE_URL);
  await t.app.stop();
  const { url } = await t.node({ DATABASE_URL: await link.open() });
  const api = t.apiOn(url);
  await api.post('/collections', { name: 'notes' });
  await using client = await t.live({ 'x-api-key': t.projects[0].apiKey }, url);
  await client.subscribe('notes');
  await api.post('/collections/notes', { n: 0 });
  await client.next('event');
  expect(link.vanish('plinth change feed')).toBe(1);
  for (let n = 1; n < 4; n += 1) expect((await api.post('/collections/notes', { n })).status).toBe(201);
  for (let n = 1; n < 4; n += 1) expect((await client.next('event')).document.n).toBe(n);
  expect(client.messages.filter(({ type }) => type === 'resync')).toEqual([]);
});
