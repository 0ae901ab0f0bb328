import type { Reply } from '../client.ts';

/**
 * Calls until the answer is as it should be, and says how long after the start that call was sent. Fails if a call
 * sent later than the limit is still answered otherwise: by default, later than any busy machine hears of a change.
 */
export async function untilAnswer(
  call: () => Promise<Reply>,
  isRight: (reply: Reply) => boolean,
  limitMs: number | Promise<number> = 5000,
): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const sentAfterMs = performance.now() - startedAt;
    const reply = await call();
    if (isRight(reply)) return sentAfterMs;
    if (sentAfterMs > (await limitMs)) {
      throw new Error(`Still ${reply.status} ${reply.text} after ${Math.round(sentAfterMs)} ms.`);
    }
  }
}

export const isRefused = (reply: Reply): boolean =>
  reply.status === 401 && reply.body.error.code === 'invalid_credentials';
