import type { CommittedTransaction } from './replication.ts';

/** Commits, and characters of their changes, that wait to be written. With more, nothing is read from the log. */
const most = { commits: 1000, length: 8_388_608 };

interface CommitWriterOptions {
  readonly write: (commits: readonly CommittedTransaction[]) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Commits on their way from the log into the stream. To write one means to ask the database, and often Redis: what comes
 * meanwhile is written together, so that events are not late when there are many commits.
 */
export class CommitWriter {
  readonly #options: CommitWriterOptions;
  #waiting: CommittedTransaction[] = [];
  #oldest: CommittedTransaction | undefined;
  #length = 0;
  #writing: Promise<void> | undefined;
  #room: PromiseWithResolvers<void> | undefined;
  #hasFailed = false;

  constructor(options: CommitWriterOptions) {
    this.#options = options;
  }

  /** Is everything written that was added? */
  get isIdle(): boolean {
    return this.#writing === undefined && !this.#hasFailed;
  }

  /** The first of all that are not written yet. */
  get oldest(): CommittedTransaction | undefined {
    return this.#oldest;
  }

  /** Undefined if there is room for more, else a promise that resolves when there is. */
  add(commit: CommittedTransaction): Promise<void> | undefined {
    if (this.#hasFailed) return undefined;
    this.#waiting.push(commit);
    this.#oldest ??= commit;
    this.#length += lengthOf(commit);
    this.#writing ??= this.#writeAll();
    const isFull = this.#waiting.length > most.commits || this.#length > most.length;
    if (isFull) this.#room ??= Promise.withResolvers();
    return this.#room?.promise;
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && !this.#hasFailed) {
        await this.#options.write(this.#take());
        this.#oldest = this.#waiting[0];
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#take();
      this.#options.onFailure(error);
    }
    this.#writing = undefined;
  }

  #take(): CommittedTransaction[] {
    const commits = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    this.#room?.resolve();
    this.#room = undefined;
    return commits;
  }
}

function lengthOf({ rows }: CommittedTransaction): number {
  let length = 0;
  for (const row of rows) for (const text of Object.values(row)) length += text.length;
  return length;
}
