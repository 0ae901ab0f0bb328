import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { DatabaseServer } from '../db/database-server.ts';
import { Replication } from './replication.ts';

const message = (tag: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(tag);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const signedIn = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const shutDown = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

test('a server that is shut down while it is connected to ends the reading, not the process', async () => {
  // All in one piece, as it is read by a process that was busy.
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([signedIn, ready, shutDown])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const replication = new Replication({
    server: new DatabaseServer(`postgres://plinth@127.0.0.1:${port}/plinth`),
    slot: 'plinth',
    publications: ['plinth'],
    readRow: () => undefined,
    onCommit: () => undefined,
    onIdle: () => {},
  });
  await expect(replication.run(() => {})).rejects.toThrow(/terminat|connection/i);
  await replication.stop();
  server.close();
});
