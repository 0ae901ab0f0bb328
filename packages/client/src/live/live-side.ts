import type { Http } from '../http.ts';
import type { QueryState } from '../query-text.ts';
import type { Store } from '../store.ts';
import type { Row } from './compare.ts';
import { Connection, type OpenSocket } from './connection.ts';
import { Following, type FollowingDeps, keyOf } from './following.ts';
import {
  type Live,
  type LiveDocumentState,
  type LiveList,
  type LiveState,
  nothingYet,
  outside,
} from './live-state.ts';
import { Membership, type Room } from './room.ts';
import { subscribe } from './subscription.ts';

/** A change of a document. */
export type Change<Item> =
  | { readonly event: 'created' | 'updated'; readonly document: Item }
  | { readonly event: 'deleted'; readonly document: { readonly id: string } }
  /** Some changes were missed: read again what you need. */
  | { readonly event: 'missed' };

export interface FollowOptions {
  /** Called when the connection is established or lost, or the subscription was rejected. */
  readonly onStatus?: (status: LiveState<never>['status'], error?: Error) => void;
}

/** All that is live in a client. */
export class LiveSide {
  readonly connection: Connection;
  readonly #http: Http;
  readonly #lists = new Map<string, Following>();
  readonly #rooms = new Map<string, Membership>();
  #user: string | undefined;
  readonly #keeping: FollowingDeps['keeping'];

  constructor(http: Http, open: OpenSocket | undefined, keeping?: FollowingDeps['keeping']) {
    this.#http = http;
    this.#keeping = keeping;
    this.connection = new Connection(http, open);
    this.connection.subscribe((state) => {
      if (state === 'open') void keeping?.().then((kept) => kept?.sendWaiting());
    });
  }

  /** Who is signed in now, and with which token. */
  readonly takeToken = (user: string | undefined, token: string | undefined): void => {
    if (user !== this.#user) {
      this.#user = user;
      this.connection.changeUser();
    } else if (token !== undefined) this.connection.send({ type: 'auth', token });
  };

  /** The same query is one subscription, however often it is asked for. */
  list<Item>(collection: string, query: QueryState): LiveList<Item> {
    const key = keyOf(collection, query);
    return shared<LiveState<Row>, Following>(this.#lists, key, nothingYet, (onGone) => {
      const { connection } = this;
      return new Following(collection, query, {
        http: this.#http,
        connection,
        keeping: this.#keeping,
        onGone,
      });
    }) as unknown as LiveList<Item>;
  }

  /** A document that some list has. */
  find(collection: string, id: string): Row | undefined {
    for (const list of this.#lists.values()) {
      const found = list.isOf(collection) ? list.find(id) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  document<Item>(collection: string, query: QueryState): Live<LiveDocumentState<Item>> {
    const list = this.list<Item>(collection, query);
    let from: LiveState<Item> | undefined;
    let last: LiveDocumentState<Item> | undefined;
    const of = (state: LiveState<Item>): LiveDocumentState<Item> => {
      const { items, ...others } = state;
      if (!last || from !== state) last = { ...others, document: items[0] };
      from = state;
      return last;
    };
    return {
      get: () => of(list.get()),
      subscribe: (listener) => list.subscribe((state) => listener(of(state))),
    };
  }

  follow<Item>(
    collection: string,
    query: QueryState,
    listener: (change: Change<Item>) => void,
    { onStatus }: FollowOptions,
  ): () => void {
    let hasBegun = false;
    return subscribe(
      this.connection,
      { collection, query, hasSnapshot: false },
      {
        onBegun: (isWhole) => {
          if (hasBegun && !isWhole) listener({ event: 'missed' });
          hasBegun = true;
          onStatus?.('live');
        },
        onSnapshot: () => {},
        onEvent: (event, document) => listener({ event, document: document as never }),
        // Told when it goes on, from where nothing is missed again.
        onMissed: () => onStatus?.('connecting'),
        onLost: (status, error) => onStatus?.(status, error),
        onOtherUser: () => onStatus?.('connecting'),
      },
    );
  }

  room(name: string): Room {
    const rooms = this.#rooms;
    const make = (onGone: () => void) => new Membership(this.connection, name, onGone);
    const { get, subscribe } = shared(rooms, name, outside, make);
    return {
      name,
      get,
      subscribe,
      onMessage: (hear) => {
        const stop = subscribe(() => {});
        const heard: typeof hear = (message, from) => hear(message, from);
        const { hearers } = rooms.get(name)!;
        hearers.add(heard);
        return () => {
          hearers.delete(heard);
          stop();
        };
      },
      say: (message) => rooms.get(name)?.say(message) ?? false,
      show: (state) => rooms.get(name)?.show(state),
    };
  }
}

/** A handle to a store that is there while somebody is subscribed to it, and the same for all of one key. */
function shared<State, One extends Store<State>>(
  stores: Map<string, One>,
  key: string,
  before: State,
  make: (onGone: () => void) => One,
): Live<State> {
  return {
    get: () => stores.get(key)?.get() ?? before,
    subscribe: (listener) => {
      let store = stores.get(key);
      if (!store) stores.set(key, (store = make(() => stores.delete(key))));
      return store.subscribe(listener);
    },
  };
}
