import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ByteBucket } from '../../../platform/concurrency/byte-bucket.ts';
import { guarded } from '../../../platform/guarded.ts';

/** Connections to the supervisor that the code of a process may have open. */
export const mostConnections = 64;
/** Questions on one connection that have no answer yet: a runner sends the next when it has read the last answer, which may not be forgotten here by then. */
const mostOnConnection = 2;
/** Burst of requests from one function process, to the service or the internet. @limit - */
const burst = 500;
/** Requests per second after that burst; more have to wait. @limit - */
const perSecond = 250;
/** Connections: the runner makes no more of them than it has questions. */
const connections = { burst: 4000, perSecond: 2000 };
const waitMs = 20;

/** How fast the code of one process may ask the supervisor, whose time all projects share. */
export class AskingPace {
  readonly #questions = new ByteBucket({ burst, perSecond });
  readonly #connections = new ByteBucket(connections);
  readonly #onConnection = new WeakMap<Socket, number>();
  /** Who waits for a turn: no more than may ask at once. */
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Whether one more connection is what a runner would make. */
  connect(): boolean {
    return this.#connections.take(1);
  }

  /** Whether a runner would ask that much at once. */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const before = this.#onConnection.get(socket) ?? 0;
    if (before >= mostOnConnection) return false;
    this.#onConnection.set(socket, before + 1);
    const leave = guarded(
      () => {},
      () => void this.#onConnection.set(socket, (this.#onConnection.get(socket) ?? 1) - 1),
    );
    response.once('close', leave);
    return true;
  }

  /** Resolves when it may be answered: who came first is first. */
  async turn(): Promise<void> {
    if (this.#waiting.length === 0 && this.#questions.take(1)) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#callNext();
    });
  }

  /** One timer for all that wait. */
  #callNext(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(
      guarded(
        () => {},
        () => {
          this.#timer = undefined;
          while (this.#waiting.length > 0 && this.#questions.take(1)) this.#waiting.shift()?.();
          if (this.#waiting.length > 0) this.#callNext();
        },
      ),
      waitMs,
    ).unref();
  }
}
