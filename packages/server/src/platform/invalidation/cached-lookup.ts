import { LRUCache } from 'lru-cache';
import type { NowOrLater } from '../concurrency/now-or-later.ts';
import { upTo } from '../up-to.ts';
import type { Invalidations } from './invalidations.ts';
import type { Outage } from './outage.ts';

interface Known<Value> {
  readonly value: Value;
  /** When it began to be read. */
  readonly readAt: number;
  /** When it was last tried to read it again. */
  triedAt: number;
}

/** A record that many ask for is not checked at the expense of the others. */
const checkEveryMs = 1000;

/**
 * A bounded cache of records that are rarely written. While nobody can promise that invalidations are heard, every
 * look-up goes to the database; where there is an `Outage`, what is known goes on being used for a while, and is checked
 * at its pace. Only what exists is kept.
 */
export class CachedLookup<Value extends object> {
  readonly #listener: Invalidations;
  readonly #topic: string;
  readonly #load: (key: string) => Promise<Value | undefined>;
  readonly #values: LRUCache<string, Known<Value>>;
  readonly #loading = new Map<string, Promise<Value | undefined>>();
  /** Since when nothing was missed, and the same for the time before that: until when was it so? */
  #unbroken = { since: 0, before: { since: 0, until: 0 } };

  constructor(
    listener: Invalidations,
    options: { max: number; topic: string; load: (key: string) => Promise<Value | undefined> },
  ) {
    this.#listener = listener;
    this.#topic = options.topic;
    this.#load = options.load;
    this.#values = new LRUCache(upTo(options.max));
    listener.onTopic(options.topic, (key) => this.forget(key));
    listener.onGap(() => this.#doubtAll());
  }

  get(key: string): NowOrLater<Value | undefined> {
    const known = this.#values.get(key);
    const { outage, cacheUse } = this.#listener;
    if (this.#listener.isCurrent && (!known || known.readAt >= this.#unbroken.since)) {
      cacheUse?.note(this.#topic, known ? 'hit' : 'miss');
      return known ? known.value : this.#read(key);
    }
    cacheUse?.note(this.#topic, 'bypassed');
    return outage ? this.#getBy(outage, key, known) : this.#load(key);
  }

  forget(key: string): void {
    this.#values.delete(key);
    this.#loading.delete(key);
  }

  async #getBy(outage: Outage, key: string, known: Known<Value> | undefined): Promise<Value | undefined> {
    const now = performance.now();
    if (known && now - this.#certainAt(known) < outage.longestUseMs) {
      // Nobody waits for a database that may be away: the next call has what was found.
      if (now - known.triedAt >= checkEveryMs && outage.known.take()) {
        known.triedAt = now;
        this.#read(key).catch(() => {});
      }
      return known.value;
    }
    if (!this.#loading.has(key)) await (known ? outage.known : outage.unknown).turn();
    return this.#read(key);
  }

  /** When it was last certain that the record had not changed. */
  #certainAt({ readAt }: Known<Value>): number {
    const { since, before } = this.#unbroken;
    if (readAt >= since) return Math.max(readAt, this.#listener.heardAt);
    return readAt >= before.since ? Math.max(readAt, before.until) : readAt;
  }

  /** Nothing that was read so far can be relied on. */
  #doubtAll(): void {
    this.#loading.clear();
    if (!this.#listener.outage) this.#values.clear();
    const { since } = this.#unbroken;
    this.#unbroken = { since: performance.now(), before: { since, until: this.#listener.heardAt } };
  }

  /** Once for all who ask for it meanwhile. */
  #read(key: string): Promise<Value | undefined> {
    const under = this.#loading.get(key);
    if (under) return under;
    const readAt = performance.now();
    const loading = this.#load(key).then(
      (value) => {
        // An invalidation heard meanwhile has removed the entry: what was read may be older than it.
        if (this.#loading.get(key) === loading) {
          this.#loading.delete(key);
          if (value) this.#values.set(key, { value, readAt, triedAt: readAt });
          else this.#values.delete(key);
        }
        return value;
      },
      (error: unknown) => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
        throw error;
      },
    );
    this.#loading.set(key, loading);
    return loading;
  }
}
