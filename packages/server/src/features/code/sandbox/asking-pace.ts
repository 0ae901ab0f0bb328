import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBucket } from '../../../platform/concurrency/byte-bucket.ts';
import { guarded } from '../../../platform/guarded.ts';

/** Connections to the supervisor that the code of a process may have open, each with one question under way. */
export const mostConnections = 64;
/** A runner never has more: one may be answered and not be forgotten yet. */
const mostAtOnce = 2 * mostConnections;
/** Questions that a process may ask at once: of the service, or of the world. @limit - */
const burst = 500;
/** The same each second after that; whoever asks faster waits. @limit - */
const perSecond = 250;
/** Connections: the runner makes no more of them than it has questions. */
const connections = { burst: 4000, perSecond: 2000 };
const waitMs = 20;

/** How fast the code of one process may ask the supervisor, whose time all projects share. */
export class AskingPace {
  readonly #questions = new ByteBucket({ burst, perSecond });
  readonly #connections = new ByteBucket(connections);
  #atOnce = 0;

  /** Whether one more connection is what a runner would make. */
  connect(): boolean {
    return this.#connections.take(1);
  }

  /** Whether a runner would ask that much at once. */
  begin(response: ServerResponse): boolean {
    if (this.#atOnce >= mostAtOnce) return false;
    this.#atOnce += 1;
    const leave = guarded(
      () => {},
      () => void (this.#atOnce -= 1),
    );
    response.once('close', leave);
    return true;
  }

  /** Resolves when it may be answered. */
  async turn(): Promise<void> {
    while (!this.#questions.take(1)) await sleep(waitMs, undefined, { ref: false });
  }
}
