// @postgres newest
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Client } from '../../support/client.ts';
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

test('minor: failures are not kept by caches either', async () => {
  const { path } = await newCollection(t.api);
  const ref = t.projects[0].ref;
  const failures = [
    await t.api.get(`${path}/${'0'.repeat(26)}`),
    await t.api.get(`${path}?limit=none`),
    await t.api.get('/collections', { headers: { origin: 'https://evil.example' } }),
    await t.api.post(path, undefined, { raw: '{' }),
    await t.anonymous.get('/collections'),
    await t.anonymous.get(`/p/${ref}${path}`),
    await t.anonymous.get('/nothing'),
    await t.anonymous.get('/metrics'),
    await t.anonymous.get(`/files/${ref}/none.png`),
    await t.anonymous.get(`/p/${ref}/auth-collections/reset-password`),
  ];
  for (const { status, headers, text } of failures) {
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('minor: no setting of a node opens /dev/mail', async () => {
  const { url } = await t.node({ MAIL_FOLDER: '/tmp' });
  expect(await new Client(url).get('/dev/mail')).toFailWith(404, 'route_not_found');
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
