import type { QueryState } from '../query-text.ts';
import type { Row } from './compare.ts';
import type { ConnectionState } from './connection.ts';
import type { Change, FollowOptions, LiveSide } from './live-side.ts';
import {
  type Live,
  type LiveDocumentState,
  type LiveList,
  type LiveState,
  nothingYet,
  outside,
  type RoomState,
} from './live-state.ts';
import type { Room } from './room.ts';

const noDocument: LiveDocumentState<never> = { status: 'connecting', document: undefined };

/** The connection that everything live goes over. */
export interface LiveConnection extends Live<ConnectionState> {
  /** Tries again at once, also what was refused. */
  readonly retry: () => void;
}

/** Everything live, loaded with the first subscription: apps that do not use it do not pay for it. */
export class LazyLive {
  readonly #load: () => Promise<LiveSide>;
  #side: LiveSide | undefined;
  #loading: Promise<LiveSide> | undefined;
  readonly connection: LiveConnection;

  constructor(load: () => Promise<LiveSide>) {
    this.#load = load;
    this.connection = {
      ...this.#later<ConnectionState>((side) => side.connection, 'idle'),
      retry: () => this.#side?.connection.retry(),
    };
  }

  /** A document that some list has. */
  find(collection: string, id: string): Row | undefined {
    return this.#side?.find(collection, id);
  }

  list<Item>(collection: string, query: QueryState): LiveList<Item> {
    return this.#later<LiveState<Item>>((side) => side.list(collection, query), nothingYet);
  }

  document<Item>(collection: string, query: QueryState): Live<LiveDocumentState<Item>> {
    return this.#later<LiveDocumentState<Item>>((side) => side.document(collection, query), noDocument);
  }

  follow<Item>(
    collection: string,
    query: QueryState,
    listener: (change: Change<Item>) => void,
    options: FollowOptions,
  ): () => void {
    if (query.sort.length + query.select.length + query.populate.length > 0 || query.limit !== undefined)
      throw new TypeError(
        'A subscription to changes can only have conditions: no orderBy, select, populate or limit.',
      );
    return this.#when((side) => side.follow(collection, query, listener, options));
  }

  room(name: string): Room {
    const room = this.#later<RoomState>((side) => side.room(name), outside);
    return {
      ...room,
      name,
      onMessage: (hear) => this.#when((side) => side.room(name).onMessage(hear)),
      say: (message) => this.#side?.room(name).say(message) ?? false,
      show: (state) => void this.#when((side) => side.room(name).show(state)),
    };
  }

  /** What is there once it is here, and until then `before`. */
  #later<State>(find: (side: LiveSide) => Live<State>, before: State): Live<State> {
    let found: Live<State> | undefined;
    const get = () => (this.#side ? (found ??= find(this.#side)).get() : before);
    return {
      get,
      subscribe: (listener) => {
        if (!this.#side) listener(before);
        return this.#when((side) => (found ??= find(side)).subscribe(listener));
      },
    };
  }

  /** Does it at once if all is here. Returns how to stop. */
  #when(begin: (side: LiveSide) => (() => void) | void): () => void {
    let stop: (() => void) | void;
    let isOver = false;
    const start = (side: LiveSide) => {
      if (!isOver) stop = begin(side);
    };
    if (this.#side) start(this.#side);
    else {
      this.#loading ??= this.#load().then((side) => (this.#side = side));
      void this.#loading.then(start);
    }
    return () => {
      isOver = true;
      stop?.();
    };
  }
}
