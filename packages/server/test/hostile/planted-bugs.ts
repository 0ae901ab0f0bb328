// Loaded into the node before the service: does on request what the checker must notice.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

const kept: Buffer[] = [];
let bug: string | undefined;

/** Works for so long, not counting the time in which others have the core. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > ms * 1000) return;
  }
}

function delay(response: ServerResponse, ms: number): void {
  const end = response.end.bind(response) as (...content: unknown[]) => ServerResponse;
  Object.assign(response, { end: (...content: unknown[]) => setTimeout(() => end(...content), ms) });
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
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const [, planted] = /^\/planted\/(\w+)$/.exec(request.url ?? '') ?? [];
  if (planted !== undefined) {
    bug = planted;
    kept.length = 0;
    begin[planted]?.();
  } else if (request.url?.startsWith('/collections/quiet')) {
    if (bug === 'errors') request.socket.destroy();
    if (bug === 'slowness') delay(response, 6000);
  }
});
