import { LRUCache } from 'lru-cache';
import type { InvalidationListener } from './invalidation-listener.ts';

/**
 * A bounded cache of records that are rarely written. While the listener cannot promise that it hears of invalidations,
 * every look-up goes to the database. Only what exists is kept.
 */
export class CachedLookup<Value extends object> {
  readonly #listener: InvalidationListener;
  readonly #load: (key: string) => Promise<Value | undefined>;
  readonly #values: LRUCache<string, Value>;
  readonly #loading = new Map<string, Promise<Value | undefined>>();

  constructor(
    listener: InvalidationListener,
    options: { max: number; topic: string; load: (key: string) => Promise<Value | undefined> },
  ) {
    this.#listener = listener;
    this.#load = options.load;
    this.#values = new LRUCache({ max: options.max });
    listener.onTopic(options.topic, (key) => this.forget(key));
    listener.onGap(() => {
      this.#values.clear();
      this.#loading.clear();
    });
  }

  async get(key: string): Promise<Value | undefined> {
    if (!this.#listener.isCurrent) return this.#load(key);
    const value = this.#values.get(key);
    if (value) return value;
    return this.#loading.get(key) ?? this.#read(key);
  }

  forget(key: string): void {
    this.#values.delete(key);
    this.#loading.delete(key);
  }

  #read(key: string): Promise<Value | undefined> {
    const loading = this.#load(key).then(
      (value) => {
        // An invalidation heard meanwhile has removed the entry: what was read may be older than it.
        if (this.#loading.get(key) === loading) {
          this.#loading.delete(key);
          if (value) this.#values.set(key, value);
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
