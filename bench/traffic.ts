import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from './http.ts';

/** One kind of call; each time it may ask for something else. */
export interface TrafficCall {
  readonly name: string;
  readonly apiKey: string;
  readonly url: () => string;
}

export interface TrafficOptions {
  readonly clients: number;
  /** How long a client rests between two calls, on average. */
  readonly restMs: number;
}

/** Clients that each make one call after the other, chosen by chance, and rest in between. */
export class Traffic implements AsyncDisposable {
  readonly #calls: readonly TrafficCall[];
  readonly #clients: readonly Promise<void>[];
  #times = new Map<string, number[]>();
  #isOver = false;
  /** An answer that was no list: the latest by its error code, and how many there were. */
  readonly refusals = new Map<string, { count: number; text: string }>();

  constructor(calls: readonly TrafficCall[], { clients, restMs }: TrafficOptions) {
    this.#calls = calls;
    this.#clients = Array.from({ length: clients }, () => this.#work(restMs));
  }

  /** Lets it run for a while; how long the calls took that ended in it, by name. */
  async measure(ms: number): Promise<ReadonlyMap<string, readonly number[]>> {
    this.#times = new Map(this.#calls.map(({ name }) => [name, []]));
    await Promise.race([sleep(ms), ...this.#clients]);
    const times = this.#times;
    this.#times = new Map();
    return times;
  }

  async #work(restMs: number): Promise<void> {
    while (!this.#isOver) {
      const { name, url, apiKey } = this.#calls[Math.floor(Math.random() * this.#calls.length)]!;
      const startedAt = performance.now();
      const { status, text } = await exchange(url(), apiKey);
      this.#times.get(name)?.push(performance.now() - startedAt);
      if (status >= 300) this.#noteRefusal(text);
      await sleep(restMs * 2 * Math.random());
    }
  }

  #noteRefusal(text: string): void {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    const { count } = this.refusals.get(error.code) ?? { count: 0 };
    this.refusals.set(error.code, { count: count + 1, text: error.message });
  }

  async [Symbol.asyncDispose]() {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }
}
