import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../client.ts';

const longestMs = 60_000;
/** How a hook is refused that had no time to answer: five seconds are few while a busy machine starts its process. */
const lateness = /timed out|could not start|is paused/;

/** Makes a call that hooks are asked before, and makes it again while they are late: nothing was written then. */
export async function asked(call: () => Promise<Reply>): Promise<Reply> {
  const giveUpAt = performance.now() + longestMs;
  for (;;) {
    const reply = await call();
    const { code, message } = reply.body?.error ?? {};
    const isLate = code === 'hook_failed' && lateness.test(message);
    if (!isLate || performance.now() > giveUpAt) return reply;
    await sleep(200);
  }
}
