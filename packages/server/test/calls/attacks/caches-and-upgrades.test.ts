// @postgres newest
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

test('what a credential has opened is not for caches that others read from', async () => {
  const { path } = await newCollection(t.api);
  const { id } = await newDocument(t.api, path, { a: 1 });
  await t.api.patch(path, { settings: { rules: { read: 'public' } } });
  const { me } = await newPerson(t);
  for (const client of [t.api, me]) {
    for (const to of [path, `${path}/${id}`]) {
      const { headers } = await client.get(to);
      expect(headers.get('cache-control')).toMatch(/private|no-store/);
    }
  }
});

test('only /realtime speaks WebSocket', async () => {
  const statusOf = (path: string) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`${t.url.replace('http', 'ws')}${path}`, {
        headers: { 'x-api-key': t.projects[0].apiKey },
      });
      socket.on('error', () => {});
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    });
  for (const path of ['/collections', '/healthz', '/openapi.json', '/metrics', '/docs', '/nothing'])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  expect(await statusOf('/realtime')).toBe(101);
});

test('how long the event loop was held up is a metric', async () => {
  const { text } = await t.anonymous.get('/metrics');
  expect(text).toMatch(/^plinth_event_loop_longest_stall_ms \d+$/m);
});
