import { setTimeout as sleep } from 'node:timers/promises';
import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import { isWorthAgain } from '../platform/db/failures.ts';
import type { RequestContext } from './context.ts';

const mostTries = 5;

/**
 * Does work again that was begun with an old idea of where collections are, or broken off to end a deadlock: nothing of
 * it has been committed.
 */
export async function withNews<Result>(
  { caughtUp }: { readonly caughtUp: (cell: number) => Promise<unknown> },
  { project }: Pick<RequestContext, 'project'>,
  work: () => NowOrLater<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthAgain(error) || tried === mostTries) throw error;
      await caughtUp(project.cell);
      // The change may be visible a moment before the news of it is sent.
      await sleep((tried - 1) * 50);
    }
  }
}
