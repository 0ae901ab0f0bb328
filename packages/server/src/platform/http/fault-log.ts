import { guarded } from '../guarded.ts';
import type { Log } from '../log.ts';

const everyMs = 1000;

/** Logs what calls failed with while an engine is away: the first at once, the others once a second, with their number. */
export class FaultLog {
  readonly #log: Pick<Log, 'error'>;
  #last: unknown;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  note(error: unknown): void {
    this.#last = error;
    this.#count += 1;
    if (this.#timer === undefined) this.#write();
  }

  #write(): void {
    this.#timer = undefined;
    if (this.#count === 0) return;
    this.#log.error(
      { err: this.#last, calls: this.#count },
      'requests failed because an engine is unavailable',
    );
    this.#last = undefined;
    this.#count = 0;
    this.#timer = setTimeout(
      guarded(
        () => {},
        () => this.#write(),
      ),
      everyMs,
    ).unref();
  }
}
