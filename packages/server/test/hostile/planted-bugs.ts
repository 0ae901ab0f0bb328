// Loaded into the node before the service: does on request what the checker must notice.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

const kept: Buffer[] = [];
let bug: string | undefined;

/** Works for so long, not counting the time in which others have the core. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  while (process.threadCpuUsage(before).user < ms * 1000);
}

const begin: Record<string, () => void> = {
  stall: () => work(500),
  memory: () => kept.push(Buffer.alloc(300 * 1_048_576, 1)),
  crash: () =>
    setImmediate(() => {
      throw new Error('A bug was planted here.');
    }),
};

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  const [, planted] = /^\/planted\/(\w+)$/.exec(request.url ?? '') ?? [];
  if (planted !== undefined) {
    bug = planted;
    begin[planted]?.();
  } else if (request.url?.startsWith('/collections/quiet')) {
    if (bug === 'errors') request.socket.destroy();
    if (bug === 'slowness') work(90);
  }
});
