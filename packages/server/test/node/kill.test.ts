// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { type PlinthProcess, startNode } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let nodes: { process: PlinthProcess; url: string }[];
beforeAll(async () => {
  await t.api.post('/collections', { name: 'posts' });
  const { DATABASE_URL, CELL_DATABASE_URLS } = t.config;
  const start = () => startNode({ DATABASE_URL, CELL_DATABASE_URLS, LOG_LEVEL: 'info' });
  nodes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(nodes.map(({ process }) => process[Symbol.asyncDispose]()));
});

test('H1: a node killed under 50 writers loses nothing that was answered', async () => {
  const acknowledged = new Set<string>();
  const statuses = new Set<number>();
  let unanswered = 0;
  const clients = nodes.map(({ url }) => new Client(url, { 'x-api-key': t.projects[0].apiKey }));
  const writer = async (number: number) => {
    let at = number % 2;
    for (let call = 0; call < 60; call += 1) {
      try {
        const reply = await clients[at]!.post('/collections/posts', { number, call });
        statuses.add(reply.status);
        if (reply.status === 201) acknowledged.add(reply.body.data.id);
      } catch {
        unanswered += 1;
        at = 1;
      }
      if (acknowledged.size > 500 && nodes[0]!.process.isRunning) nodes[0]!.process.signal('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, number) => writer(number)));
  expect((await nodes[0]!.process.ended).signal).toBe('SIGKILL');
  expect(unanswered).toBeGreaterThan(0);
  expect(statuses).toEqual(new Set([201]));

  const cell = t.cells.pool(t.projects[0].cell);
  const { rows } = await cell.query<{ id: string }>('SELECT id FROM cell.documents');
  const stored = new Set(rows.map(({ id }) => id));
  const lost = [...acknowledged].filter((id) => !stored.has(id));
  console.log(`H1: lost ${lost.length} of ${acknowledged.size}; ${unanswered} calls had no answer.`);
  expect(lost).toEqual([]);
  expect(stored.size).toBeLessThanOrEqual(acknowledged.size + unanswered);
  // The count goes with the rows: a killed node leaves neither one without the other.
  const listed = await clients[1]!.get('/collections/posts?limit=1');
  expect(listed.body.total).toBe(stored.size);
});
