import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunningRedis extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** A Redis of its own that keeps nothing. */
export async function startRedis(port = 4469): Promise<RunningRedis> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: server.pid!,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}
