import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What attacks are after, as they see it. */
interface Targets {
  readonly canary: string;
  readonly folder: string;
  readonly pid: number;
  readonly port: number;
  readonly socket: string;
}

/** Things of the host, each of which holds the canary: files, a process, a TCP port and a unix socket. */
export async function plantTargets() {
  const canary = `canary-${randomBytes(8).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'host-'));
  chmodSync(folder, 0o777);
  const files = {
    secret: canary,
    'secret.json': JSON.stringify({ canary }),
    'secret.mjs': `export default '${canary}'`,
    [canary]: '',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const other: ChildProcess = spawn('sleep', ['600'], { env: { CANARY: canary, PATH: process.env.PATH } });
  const greeted: string[] = [];
  const greet = (name: string): Server =>
    createServer((socket) => {
      greeted.push(name);
      socket.on('error', () => {});
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${canary.length}\r\n\r\n${canary}`);
    });
  const [tcp, unix] = [greet('tcp'), greet('unix')];
  const socket = join(folder, 'host.sock');
  await Promise.all([
    new Promise<void>((resolve) => void tcp.listen(0, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => void unix.listen({ path: socket, writableAll: true }, resolve)),
  ]);
  const { port } = tcp.address() as { port: number };
  const targets: Targets = { canary, folder, pid: other.pid ?? 0, port, socket };
  return {
    targets,
    /** Who was connected to. */
    greeted,
    async [Symbol.asyncDispose]() {
      other.kill('SIGKILL');
      tcp.close();
      unix.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
