import type { RoomMember } from '@plinth/protocol';
import type { PlinthError } from '../errors.ts';

/** `away`: the data may be out of date, and is updated after reconnecting. `refused`: see `error`. */
export type LiveStatus = 'connecting' | 'live' | 'away' | 'refused';

export interface LiveState<Item> {
  readonly status: LiveStatus;
  readonly items: readonly Item[];
  /** Why the status is `away` or `refused`. */
  readonly error?: PlinthError;
}

/** A state that is kept up to date as long as it has subscribers. */
export interface Live<State> {
  readonly get: () => State;
  /** Calls back immediately, then with every change. Returns a function to unsubscribe. */
  readonly subscribe: (listener: (state: State) => void) => () => void;
}

/** The state of a list before the service has responded. */
export const nothingYet: LiveState<never> = { status: 'connecting', items: [] };

export type LiveList<Item> = Live<LiveState<Item>>;

export interface LiveDocumentState<Item> {
  readonly status: LiveStatus;
  /** Undefined as long as it is not known, and if it does not exist or the user is not allowed to read it. */
  readonly document: Item | undefined;
  readonly error?: PlinthError;
}

export interface RoomState {
  readonly status: 'connecting' | 'joined' | 'away' | 'refused';
  readonly members: readonly RoomMember[];
  /** Why the status is `away` or `refused`. */
  readonly error?: PlinthError;
}

/** The state of a room before it is joined. */
export const outside: RoomState = { status: 'connecting', members: [] };
