import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Project } from './project.ts';
import { UnreadAnswers } from './unread-answers.ts';

const answer = 'x'.repeat(16 * 1_048_576);
const log = pino({ level: 'fatal' });

test('of large answers that nobody takes, the oldest of the project that has most are cut off', async () => {
  const unread = new UnreadAnswers(3 * answer.length);
  const server = createServer((request, raw) => {
    unread.add({ project: { id: request.url ?? '' } as Project, log }, { raw }, answer);
    raw.end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed: string[] = [];
  const ask = async (name: string, path: string): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const asked = once(server, 'request');
    socket.on('error', () => {}).once('close', () => closed.push(name));
    // The first bytes are read, so that it is seen when the connection is cut; then no more.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await asked;
    return socket;
  };
  const sockets = [await ask('quiet', '/quiet')];
  for (const name of ['a', 'b', 'c', 'd']) sockets.push(await ask(name, '/loud'));
  for (const socket of sockets.slice(1, 3)) socket.resume();
  await expect.poll(() => closed.toSorted()).toEqual(['a', 'b']);

  // Those that are still held come whole.
  const [quiet] = sockets;
  let bytes = 0;
  quiet!.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await expect.poll(() => bytes).toBeGreaterThan(answer.length);
  for (const socket of sockets) socket.destroy();
  server.close();
});
