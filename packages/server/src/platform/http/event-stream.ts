import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { guarded } from '../guarded.ts';

const commentMs = 15_000;

/** Sends the head of the answer, and comments from then on that keep it open. */
export function beginEventStream(
  reply: FastifyReply,
  failed: (error: unknown) => void,
  onClose: () => void,
): void {
  reply.hijack();
  const raw: ServerResponse = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  raw.write('retry: 1000\n\n');
  const timer = setInterval(
    guarded(failed, () => raw.write(':\n\n')),
    commentMs,
  );
  const close = () => {
    clearInterval(timer);
    onClose();
  };
  raw.on('close', guarded(failed, close));
}
