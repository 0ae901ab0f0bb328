import type { SessionKeeper } from '../auth/session-keeper.ts';
import type { ClientOptions } from '../client-options.ts';
import type { QueuedWish } from '../door.ts';
import type { Http } from '../http.ts';
import type { Row } from '../live/compare.ts';
import type { Live } from '../live/live-state.ts';
import type { Offline } from './offline.ts';
import type { OutboxState } from './outbox.ts';

/** The writes that are waiting to be sent, and those that the server rejected. */
export interface ClientOutbox extends Live<OutboxState> {
  /** Sends a rejected write again. */
  readonly retry: (seq: number) => Promise<void>;
  /** Discards a waiting or rejected write. Lists then show the state of the server again. */
  readonly discard: (seq: number) => Promise<void>;
}

const unread: OutboxState = { isLoaded: false, waiting: [], refused: [] };
const nothing: OutboxState = { ...unread, isLoaded: true };

/** Of a client that has none. */
export const noOutbox: ClientOutbox = {
  get: () => nothing,
  subscribe: (listener) => {
    listener(nothing);
    return () => {};
  },
  retry: async () => {},
  discard: async () => {},
};

type DeviceOptions = Pick<ClientOptions, 'persist' | 'outbox' | 'onWarning'>;

/** What is kept on the device, opened when it is first needed; with an outbox at once, to send what an earlier visit left. */
export class LazyDevice {
  readonly #open: () => Promise<Offline>;
  #opened: Promise<Offline | undefined> | undefined;
  #state: () => OutboxState = () => unread;
  readonly outbox: ClientOutbox;

  constructor(
    http: Http,
    keeper: SessionKeeper,
    { persist = false, outbox = false, onWarning = () => {} }: DeviceOptions,
    find: (collection: string, id: string) => Row | undefined,
  ) {
    const user = () => keeper.session?.user?.id ?? '';
    this.#open = async () => {
      await keeper.loaded;
      const { Offline } = await import('./offline.ts');
      const offline = await Offline.open({ http, persist, user, find });
      let known = user();
      keeper.subscribe(() => {
        if (user() === known) return;
        known = user();
        void offline.changeUser();
      });
      return offline;
    };
    this.#warn = onWarning;
    const act = (name: 'retry' | 'discard') => async (seq: number) => (await this.open())?.outbox[name](seq);
    this.outbox = {
      get: () => this.#state(),
      subscribe: (listener) => {
        let stop: (() => void) | undefined;
        let isOver = false;
        const begin = async () => {
          const { outbox: opened } = (await this.open()) ?? { outbox: noOutbox };
          if (!isOver) stop = opened.subscribe(listener);
        };
        void begin();
        return () => {
          isOver = true;
          stop?.();
        };
      },
      retry: act('retry'),
      discard: act('discard'),
    };
    if (outbox) void this.open();
  }

  readonly #warn: (warning: string) => void;

  /** Undefined where the browser keeps nothing, as in some private windows: everything goes on without it. */
  open(): Promise<Offline | undefined> {
    this.#opened ??= this.#open().then(
      (offline) => {
        this.#state = () => offline.outbox.get();
        return offline;
      },
      (error: unknown) => {
        this.#state = noOutbox.get;
        this.#warn(`Nothing is stored on this device: ${(error as Error).message}`);
        return undefined;
      },
    );
    return this.#opened;
  }

  readonly queue = async (wish: QueuedWish): Promise<object | undefined> => (await this.open())?.queue(wish);
}
