import type { OriginPolicy } from '../calls/gate/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { DevOptions } from './dev-options.ts';

/** Under which addresses others reach this node: what it was told, else where it listens. */
export class Addresses {
  readonly #config: Pick<Config, 'PUBLIC_URL' | 'FILES_URL' | 'DASHBOARD_URL'>;
  /** Origins whose pages are the service's own. */
  readonly ownOrigins: Set<string>;
  /** Whose pages may call its projects. */
  readonly originPolicy: OriginPolicy;
  #own = '';
  /** Where this machine reaches the node. */
  loopback = '';

  constructor(config: Pick<Config, 'PUBLIC_URL' | 'FILES_URL' | 'DASHBOARD_URL'>, dev?: DevOptions) {
    this.#config = config;
    this.ownOrigins = new Set(config.PUBLIC_URL === undefined ? [] : [config.PUBLIC_URL]);
    this.originPolicy = {
      own: this.ownOrigins,
      isLocalAllowed: dev !== undefined,
      ...(dev && { onRefused: dev.onRefusedOrigin }),
    };
  }

  /** Whose pages may use the sessions of accounts. */
  get dashboardOrigins(): ReadonlySet<string> {
    const { DASHBOARD_URL } = this.#config;
    return DASHBOARD_URL === undefined ? this.ownOrigins : new Set([DASHBOARD_URL]);
  }

  get service(): string {
    return this.#config.PUBLIC_URL ?? this.#own;
  }

  /** Where people manage projects. */
  get dashboard(): string {
    return this.#config.DASHBOARD_URL ?? this.service;
  }

  get files(): string {
    return this.#config.FILES_URL ?? this.service;
  }

  /** The node listens there. */
  listensAt(address: string): void {
    this.loopback = address.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
    this.#own = address.replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::1?\])/, '//localhost');
    for (const origin of [address, address.replace('127.0.0.1', 'localhost')]) this.ownOrigins.add(origin);
  }
}
