import type { Client } from 'pg';
import type { CacheUse } from './cache-use.ts';
import { originOf, readChanges } from './change-log.ts';
import type { InvalidationListener } from './invalidation-listener.ts';
import type { Invalidations } from './invalidations.ts';
import { Outage } from './outage.ts';

/** After a longer time without word, everything is doubted. The log is kept a little longer. */
const longestGapMs = 600_000;

/**
 * The listener for what is cached of control. Unlike that of a cell it can say what was missed, since `control.tell`
 * writes it down: after a reconnection only what has changed is forgotten.
 */
export class ControlInvalidations implements Invalidations {
  readonly #listener: InvalidationListener;
  readonly #topics = new Map<string, (key: string) => void>();
  readonly #onGap: (() => void)[] = [];
  #origin: string | undefined;
  readonly outage: Outage;

  constructor(listener: InvalidationListener, outage = new Outage()) {
    this.#listener = listener;
    this.outage = outage;
    listener.onGap((client) => this.#catchUp(client));
  }

  get isCurrent(): boolean {
    return this.#listener.isCurrent;
  }

  get cacheUse(): CacheUse | undefined {
    return this.#listener.cacheUse;
  }

  get heardAt(): number {
    return this.#listener.heardAt;
  }

  onTopic(topic: string, heard: (key: string) => void): void {
    this.#topics.set(topic, heard);
    this.#listener.onTopic(topic, heard);
  }

  onGap(forget: () => void): void {
    this.#onGap.push(forget);
  }

  caughtUp(): Promise<boolean> {
    return this.#listener.caughtUp();
  }

  async #catchUp(client: Client): Promise<void> {
    const origin = await originOf(client);
    const missed = origin === this.#origin ? await this.#readMissed(client) : undefined;
    this.#origin = origin;
    if (!missed) for (const forget of this.#onGap) forget();
    for (const { topic, key } of missed ?? []) this.#topics.get(topic)?.(key);
  }

  /** Undefined if nobody can say. */
  async #readMissed(client: Client) {
    const { horizon, heardAt } = this.#listener;
    if (horizon === undefined || performance.now() - heardAt > longestGapMs) return undefined;
    return readChanges(client, horizon);
  }
}
