import type { Http } from './http.ts';
import type { LazyLive } from './live/lazy-live.ts';

export const methods = { create: 'POST', update: 'PATCH', replace: 'PUT', delete: 'DELETE' } as const;

export interface QueuedWish {
  readonly collection: string;
  readonly action: keyof typeof methods;
  readonly id?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly ifMatch?: string | undefined;
}

/** How collections and queries reach the service. */
export interface Door {
  readonly http: Http;
  readonly live: LazyLive;
  /** Keeps a write on the device, to be sent when it can be; undefined if it has to be sent now. */
  readonly queue?: ((wish: QueuedWish) => Promise<object | undefined>) | undefined;
}
