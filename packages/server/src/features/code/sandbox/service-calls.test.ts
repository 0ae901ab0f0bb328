import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceCalls } from './service-calls.ts';

let service: Server;
let door: Server;
const asked: { path: string; response: ServerResponse }[] = [];

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listen(answer: RequestListener): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

beforeAll(async () => {
  service = await listen(({ url = '' }, response) => void asked.push({ path: url, response }));
  const calls = new ServiceCalls(() => addressOf(service));
  door = await listen((request, response) => {
    const project = String(request.headers['x-project']);
    void calls.serve({ project, token: 'pfn_token' }, request, response);
  });
});
afterAll(() => {
  for (const server of [service, door]) {
    server.close();
    server.closeAllConnections();
  }
});

const ask = async (project: string, path: string) =>
  (await fetch(`${addressOf(door)}${path}`, { headers: { 'x-project': project } })).text();

test('a project that asks for much waits for itself, and not others for it', async () => {
  const many = Array.from({ length: 50 }, () => ask('many', '/collections/many'));
  await expect.poll(() => asked.length).toBe(32);
  const one = ask('one', '/collections/one');
  await expect.poll(() => asked.map(({ path }) => path)).toContain('/collections/one');
  // What waits for other functions takes no place.
  const nested = ask('many', '/functions/nested');
  await expect.poll(() => asked.map(({ path }) => path)).toContain('/functions/nested');
  expect(asked).toHaveLength(34);
  let isDone = false;
  const all = Promise.all([...many, one, nested]).finally(() => {
    isDone = true;
  });
  const answerAll = () => {
    for (const { response } of asked.splice(0)) response.end('answered');
    return isDone;
  };
  await expect.poll(answerAll).toBe(true);
  expect(new Set(await all)).toEqual(new Set(['answered']));
});
