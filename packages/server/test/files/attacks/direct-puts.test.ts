// @postgres newest
import { readdir, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
const megabyte = 1_048_576;
const size = 4 * megabyte;

async function bytesOnDisk(): Promise<number> {
  const folder = t.config.FILES_FOLDER!;
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const sizes = files.map(async (entry) => {
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    return found?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
}

async function startUpload() {
  const { body } = await t.api.post('/storage/direct-uploads', { name: 'a.txt', size });
  return body.data as { id: string; uploadUrl: string };
}

/** Sends all but the last megabyte, and keeps the connection open. */
async function hold(uploadUrl: string): Promise<Socket> {
  const { pathname, search, port } = new URL(uploadUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`);
  socket.write(Buffer.alloc(size - megabyte, 'x'));
  return socket;
}

test('minor: many PUTs to one address hold no more bytes than were reserved', async () => {
  const { id, uploadUrl } = await startUpload();
  const sockets: Socket[] = [];
  let most = 0;
  for (let put = 0; put < 20; put += 1) {
    sockets.push(await hold(uploadUrl));
    most = Math.max(most, await bytesOnDisk());
  }
  await expect.poll(bytesOnDisk).toBeGreaterThan(megabyte);
  expect(Math.max(most, await bytesOnDisk())).toBeLessThanOrEqual(size);
  // The newest has the address to itself, also after others have given up.
  const answer = await fetch(uploadUrl, { method: 'PUT', body: Buffer.alloc(size, 'y') });
  expect(answer.status).toBe(200);
  expect((await t.api.post(`/storage/direct-uploads/${id}/confirm`)).status).toBe(201);
  for (const socket of sockets) socket.destroy();
});

test('minor: a PUT that another has replaced is told so', async () => {
  const { uploadUrl } = await startUpload();
  const first = fetch(uploadUrl, {
    method: 'PUT',
    body: new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.alloc(megabyte, 'x')),
    }),
    duplex: 'half',
  });
  await expect.poll(bytesOnDisk).toBeGreaterThan(0);
  const second = await fetch(uploadUrl, { method: 'PUT', body: Buffer.alloc(size, 'y') });
  expect(second.status).toBe(200);
  const refused = await first;
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: 'upload_busy' } });
});
