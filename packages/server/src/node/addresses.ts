import type { Config } from '../platform/config/config.ts';

/** Under which addresses others reach this node: what it was told, else where it listens. */
export class Addresses {
  readonly #config: Pick<Config, 'PUBLIC_URL' | 'FILES_URL'>;
  /** Origins whose pages are the service's own. */
  readonly ownOrigins: Set<string>;
  #own = '';

  constructor(config: Pick<Config, 'PUBLIC_URL' | 'FILES_URL'>) {
    this.#config = config;
    this.ownOrigins = new Set(config.PUBLIC_URL === undefined ? [] : [config.PUBLIC_URL]);
  }

  get service(): string {
    return this.#config.PUBLIC_URL ?? this.#own;
  }

  get files(): string {
    return this.#config.FILES_URL ?? this.service;
  }

  /** The node listens there. */
  listensAt(address: string): void {
    this.#own = address.replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::1?\])/, '//localhost');
    for (const origin of [address, address.replace('127.0.0.1', 'localhost')]) this.ownOrigins.add(origin);
  }
}
