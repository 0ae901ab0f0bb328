import type { OriginPolicy } from '../calls/gate/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { DevOptions } from './dev-options.ts';

/** Under which addresses others reach this node: what it was told, else where it listens. */
export class Addresses {
  readonly #config: Pick<Config, 'PUBLIC_URL' | 'FILES_URL'>;
  /** Origins whose pages are the service's own. */
  readonly ownOrigins: Set<string>;
  /** Whose pages may call its projects. */
  readonly originPolicy: OriginPolicy;
  #own = '';

  constructor(config: Pick<Config, 'PUBLIC_URL' | 'FILES_URL'>, dev?: DevOptions) {
    this.#config = config;
    this.ownOrigins = new Set(config.PUBLIC_URL === undefined ? [] : [config.PUBLIC_URL]);
    this.originPolicy = {
      own: this.ownOrigins,
      isLocalAllowed: dev !== undefined,
      ...(dev && { onRefused: dev.onRefusedOrigin }),
    };
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
