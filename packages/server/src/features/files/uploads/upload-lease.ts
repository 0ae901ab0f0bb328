import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { guarded } from '../../../platform/guarded.ts';
import { returnLease, takeLease } from './upload-store.ts';

const leaseSeconds = 30;
const renewEveryMs = 10_000;
const patienceMs = 20_000;
const retryEveryMs = 100;

/**
 * The right to work on an upload, which one call has at a time, on whichever node: a mark in the upload's row. It is
 * renewed while the work lasts, and expires by itself if the node dies.
 */
export class UploadLease implements AsyncDisposable {
  readonly #db: ProjectDb;
  readonly #id: string;
  readonly #mark = randomUUID();
  #renewal: NodeJS.Timeout | undefined;

  private constructor(db: ProjectDb, id: string) {
    this.#db = db;
    this.#id = id;
  }

  /** Waits for whoever has it; undefined: that took too long. `onLost` is called if it cannot be renewed. */
  static async take(
    db: ProjectDb,
    id: string,
    { signal, onLost }: { signal?: AbortSignal; onLost?: () => void } = {},
  ): Promise<UploadLease | undefined> {
    const lease = new UploadLease(db.apart(), id);
    const until = Date.now() + patienceMs;
    while (!(await lease.#take())) {
      if (signal?.aborted || Date.now() > until) return undefined;
      await sleep(retryEveryMs);
    }
    const renew = async () => {
      // If this node stood still for longer than the lease lasts, another call may have it by now.
      if (!(await lease.#take())) onLost?.();
    };
    lease.#renewal = setInterval(
      guarded(() => onLost?.(), renew),
      renewEveryMs,
    );
    return lease;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewal);
    await returnLease(this.#db, this.#id, this.#mark);
  }

  #take(): Promise<boolean> {
    return takeLease(this.#db, this.#id, this.#mark, leaseSeconds);
  }
}
