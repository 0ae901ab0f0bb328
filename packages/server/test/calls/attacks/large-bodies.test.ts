// @postgres newest
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { longestSilence } from '../../support/calls/longest-silence.ts';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let door: Client;
beforeAll(() => {
  door = new Client(`${t.url}/p/${t.projects[0].ref}`);
});

/** The head of a call whose body is still to come. */
async function begin(path: string, length: number): Promise<Socket> {
  const { hostname, port } = new URL(t.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = [
    `POST /p/${t.projects[0].ref}${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

const answerOf = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));

const sixteen = 16 * 1_048_576;

describe('9: a large body', () => {
  test('is refused before it travels where nobody may write', async () => {
    const { path } = await newCollection(t.api);
    for (const [to, status] of [
      ['/collections/nothing/batch', 401],
      [`${path}/batch`, 401],
      [`${path}/batch-update`, 401],
      [`${path}/batch-delete`, 401],
    ] as const) {
      const socket = await begin(to, sixteen);
      expect(await answerOf(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      socket.destroy();
    }
  });

  test('of millions of items is refused without holding up the node', async () => {
    const { path } = await newCollection(t.api);
    await t.api.patch(path, { settings: { rules: { create: 'public' } } });
    const raw = `{"documents":[${'{},'.repeat(5_000_000)}{}]}`;
    const call = door.post(`${path}/batch`, undefined, { raw });
    expect(await longestSilence(t.anonymous, call)).toBeLessThan(5000);
    expect(await call).toFailWith(400, 'batch_too_large');
  });

  test('of as much as may be sent is taken without holding up the node', async () => {
    const { path } = await newCollection(t.api);
    const documents = Array.from({ length: 900 }, (_, n) => ({
      n,
      list: Array.from({ length: 1500 }, (_, m) => m * 1.5),
    }));
    const call = t.api.post(`${path}/batch`, { documents });
    expect(await longestSilence(t.anonymous, call)).toBeLessThan(8000);
    expect((await call).body.data).toHaveLength(900);
  });

  test('waits while its project has sent enough, and then is told to try again; others need not', async () => {
    const { path } = await newCollection(t.api);
    await t.api.patch(path, { settings: { rules: { create: 'public' } } });
    const held = await Promise.all(Array.from({ length: 3 }, () => begin(`${path}/batch`, sixteen)));
    const fourth = await begin(`${path}/batch`, sixteen);
    const other = await newCollection(t.projects[1].api);
    const documents = [{ text: 'x'.repeat(900_000) }, { text: 'y'.repeat(900_000) }];
    expect((await t.projects[1].api.post(`${other.path}/batch`, { documents })).status).toBe(201);
    // Any of them may come last.
    expect(await Promise.race([...held, fourth].map(answerOf))).toMatch(/^HTTP\/1.1 429 .*rate_limited/s);
    for (const socket of [...held, fourth]) socket.destroy();
    // What was broken off gives its place back.
    await expect.poll(async () => (await door.post(`${path}/batch`, { documents })).status).toBe(201);
  });
});

test('19: the texts of a form have a limit together', async () => {
  const form = new FormData();
  for (let n = 0; n < 100; n += 1) form.append(`text${n}`, 'x'.repeat(20_000));
  const reply = await fetch(`${door.baseUrl}/auth-collections/signup`, { method: 'POST', body: form });
  expect(reply.status).toBe(413);
});

test('1: a text that never ends is refused at once', async () => {
  const call = door.post('/auth-collections/login', undefined, { raw: `"${'\\"'.repeat(500_000)}` });
  expect(await longestSilence(t.anonymous, call)).toBeLessThan(5000);
  expect(await call).toFailWith(400, 'invalid_body');
});
