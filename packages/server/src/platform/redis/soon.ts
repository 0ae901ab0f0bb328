import { guarded } from '../guarded.ts';

/** How long a call waits for Redis: longer than it ever takes, and too short for people to notice. */
const redisPatienceMs = 250;

/** No answer has come in time; one may still. */
export class LateAnswer extends Error {}

/** The answer, if it comes within the time that a call can wait for it. */
export async function soon<Answer>(answer: Promise<Answer>, withinMs = redisPatienceMs): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  // An answer may have arrived while this process was busy: it is read before the late end comes.
  const giveUp = () => late.reject(new LateAnswer(`Redis did not respond within ${withinMs} ms.`));
  const timer = setTimeout(
    guarded(giveUp, () => setImmediate(giveUp)),
    withinMs,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
