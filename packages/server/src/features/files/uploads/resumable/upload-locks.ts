import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import type { ProjectDb } from '../../../../platform/db/project-db.ts';
import { uploadBusy } from '../errors.ts';
import { UploadLease } from '../upload-lease.ts';

/** Calls of this node that add bytes to an upload. The next one asks them to stop, since its client has moved on. */
export class UploadWriters {
  readonly #stops = new Map<string, RequestRelease>();

  add(id: string, stop: RequestRelease): void {
    this.#stops.set(id, stop);
  }

  remove(id: string): void {
    this.#stops.delete(id);
  }

  async stop(id: string): Promise<void> {
    await this.#stops.get(id)?.();
  }
}

/** The locks of the server of the tus protocol. Whoever asks for one is known to be allowed to. */
export class UploadLocks implements Locker {
  readonly #db: ProjectDb;
  readonly #writers: UploadWriters;

  constructor(db: ProjectDb, writers: UploadWriters) {
    this.#db = db;
    this.#writers = writers;
  }

  newLock(id: string): Lock {
    return new UploadLock(this.#db, this.#writers, id);
  }
}

class UploadLock implements Lock {
  readonly #db: ProjectDb;
  readonly #writers: UploadWriters;
  readonly #id: string;
  #lease: UploadLease | undefined;

  constructor(db: ProjectDb, writers: UploadWriters, id: string) {
    this.#db = db;
    this.#writers = writers;
    this.#id = id;
  }

  async lock(signal: AbortSignal, stop: RequestRelease): Promise<void> {
    await this.#writers.stop(this.#id);
    this.#lease = await UploadLease.take(this.#db, this.#id, { signal, onLost: () => void stop() });
    if (!this.#lease) throw signal.aborted ? ERRORS.ABORTED : uploadBusy();
    this.#writers.add(this.#id, stop);
  }

  async unlock(): Promise<void> {
    this.#writers.remove(this.#id);
    await this.#lease?.[Symbol.asyncDispose]();
  }
}
