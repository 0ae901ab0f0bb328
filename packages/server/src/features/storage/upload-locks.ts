import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { uploadBusy } from './errors.ts';
import { UploadLease } from './upload-lease.ts';

/** Calls of this node that add bytes to an upload: the next one asks them to let go, since its client has moved on. */
const writing = new Map<string, RequestRelease>();

/** The locks of the tus protocol's server. Who asks for one was found to be allowed to. */
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
  #lease: UploadLease | undefined;

  constructor(db: ProjectDb, id: string) {
    this.#db = db;
    this.#id = id;
  }

  async lock(signal: AbortSignal, letGo: RequestRelease): Promise<void> {
    await writing.get(this.#id)?.();
    this.#lease = await UploadLease.take(this.#db, this.#id, { signal, onLost: () => void letGo() });
    if (!this.#lease) throw signal.aborted ? ERRORS.ABORTED : uploadBusy();
    writing.set(this.#id, letGo);
  }

  async unlock(): Promise<void> {
    writing.delete(this.#id);
    await this.#lease?.[Symbol.asyncDispose]();
  }
}
