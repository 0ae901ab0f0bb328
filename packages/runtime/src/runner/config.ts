import type { Config } from '../context.ts';

/** What `config.get` reads; the supervisor sets it anew before the first call after a change. */
export class Settings {
  #values: ReadonlyMap<string, unknown> = new Map();

  set(values: Readonly<Record<string, unknown>>): void {
    this.#values = new Map(Object.entries(values));
  }

  readonly config: Config = Object.freeze({
    get: (key: string, otherwise: unknown = null) => {
      const name = key.trim().toUpperCase().replaceAll(/\s+/g, '_');
      return this.#values.has(name) ? this.#values.get(name) : otherwise;
    },
  }) as Config;
}
