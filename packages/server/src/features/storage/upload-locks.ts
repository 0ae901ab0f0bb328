import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { returnLease, takeLease } from './upload-store.ts';

const leaseSeconds = 30;
const renewEveryMs = 10_000;
const patienceMs = 20_000;
const retryEveryMs = 200;

/** Calls of this node that add bytes to an upload: the next one asks them to let go, since its client has moved on. */
const writing = new Map<string, RequestRelease>();

/** One call at a time adds bytes to an upload, on whichever node: a lease in the database, renewed while it lasts. */
export class UploadLocks implements Locker {
  readonly #db: ProjectDb;

  constructor(db: ProjectDb) {
    this.#db = db;
  }

  newLock(id: string): Lock {
    return new UploadLock(this.#db, id);
  }
}

class UploadLock implements Lock {
  readonly #db: ProjectDb;
  readonly #id: string;
  readonly #lease = randomUUID();
  #renewal: NodeJS.Timeout | undefined;

  constructor(db: ProjectDb, id: string) {
    this.#db = db;
    this.#id = id;
  }

  async lock(signal: AbortSignal, letGo: RequestRelease): Promise<void> {
    const until = Date.now() + patienceMs;
    await writing.get(this.#id)?.();
    while (!(await this.#take())) {
      if (signal.aborted || Date.now() > until) throw ERRORS.ERR_LOCK_TIMEOUT;
      await sleep(retryEveryMs);
    }
    writing.set(this.#id, letGo);
    this.#renewal = setInterval(() => {
      this.#take().catch(() => letGo());
    }, renewEveryMs);
  }

  async unlock(): Promise<void> {
    clearInterval(this.#renewal);
    writing.delete(this.#id);
    await returnLease(this.#db, this.#id, this.#lease);
  }

  #take(): Promise<boolean> {
    return takeLease(this.#db, this.#id, this.#lease, leaseSeconds);
  }
}
