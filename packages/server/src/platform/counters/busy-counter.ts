import { currentWindow, type WindowCounter } from './window-counter.ts';

/** From so many hits in a window on, a key is counted here first. */
const busyFrom = 10_000;
const tellEveryMs = 20;

/**
 * Spares the shared counter what busy keys would cost it. The first hits of a window are counted one by one, so that
 * small limits are exact; beyond them, this process adds up its hits and tells them every 20 ms. What other processes
 * have counted meanwhile is missing then: a few hundred of more than 10,000.
 */
export class BusyCounter implements WindowCounter {
  readonly #shared: WindowCounter;
  #window = 0;
  #busy = new Map<string, BusyKey>();
  #timer: NodeJS.Timeout | undefined;

  constructor(shared: WindowCounter) {
    this.#shared = shared;
  }

  async hit(key: string): Promise<number> {
    const { number } = currentWindow();
    if (number !== this.#window) {
      this.#window = number;
      this.#busy = new Map();
    }
    const busy = this.#busy.get(key);
    if (busy) {
      busy.untold += 1;
      this.#timer ??= setTimeout(() => this.#tell(), tellEveryMs);
      return busy.total + busy.told + busy.untold;
    }
    const count = await this.#shared.hit(key);
    if (count >= busyFrom && number === this.#window)
      this.#busy.set(key, { total: count, told: 0, untold: 0 });
    return count;
  }

  hitStrictly(key: string): Promise<number> {
    return this.#shared.hitStrictly(key);
  }

  #tell(): void {
    this.#timer = undefined;
    for (const [key, busy] of this.#busy) if (busy.untold > 0) void this.#tellOf(key, busy);
  }

  async #tellOf(key: string, busy: BusyKey): Promise<void> {
    const telling = busy.untold;
    busy.told += telling;
    busy.untold = 0;
    const total = await this.#shared.hit(key, telling);
    busy.told -= telling;
    busy.total = Math.max(busy.total, total - busy.told);
  }

  connect(): Promise<void> {
    return this.#shared.connect();
  }

  check(): Promise<void> {
    return this.#shared.check();
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#shared.close();
  }
}

interface BusyKey {
  /** What all had counted when they were last heard of. */
  total: number;
  /** Hits that are being told. */
  told: number;
  untold: number;
}
