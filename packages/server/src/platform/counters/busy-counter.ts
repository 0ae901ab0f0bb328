import { currentWindow, type WindowCounter } from './window-counter.ts';

/** A key with this many hits in a window is busy. */
const busyFrom = 10_000;
const reportEveryMs = 20;

/**
 * Spares the shared counter the load of busy keys. The first hits of a window are counted one by one, so that small limits
 * are exact; after that, this process adds up its hits and reports them every 20 ms. Its counts then lack what other
 * processes have counted meanwhile: a few hundred of more than 10,000.
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
      busy.unreported += 1;
      this.#timer ??= setTimeout(() => this.#report(), reportEveryMs);
      return busy.total + busy.reporting + busy.unreported;
    }
    const count = await this.#shared.hit(key);
    if (count >= busyFrom && number === this.#window)
      this.#busy.set(key, { total: count, reporting: 0, unreported: 0 });
    return count;
  }

  hitStrictly(key: string): Promise<number | undefined> {
    return this.#shared.hitStrictly(key);
  }

  #report(): void {
    this.#timer = undefined;
    for (const [key, busy] of this.#busy) if (busy.unreported > 0) void this.#reportOf(key, busy);
  }

  async #reportOf(key: string, busy: BusyKey): Promise<void> {
    const sent = busy.unreported;
    busy.reporting += sent;
    busy.unreported = 0;
    const total = await this.#shared.hit(key, sent);
    busy.reporting -= sent;
    busy.total = Math.max(busy.total, total - busy.reporting);
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
  /** What all processes had counted at the last report. */
  total: number;
  /** Hits in reports that are not answered yet. */
  reporting: number;
  unreported: number;
}
