import type { RoomMember } from '@plinth/protocol';
import type { PlinthError } from '../errors.ts';

/** `away`: what is shown may be old, and is put right as soon as the line is back. `refused`: see the error. */
export type LiveStatus = 'connecting' | 'live' | 'away' | 'refused';

export interface LiveState<Item> {
  readonly status: LiveStatus;
  readonly items: readonly Item[];
  /** Why it is away or refused. */
  readonly error?: PlinthError;
}

/** Something that is kept right while somebody is subscribed to it. */
export interface Live<State> {
  readonly get: () => State;
  /** Tells at once, and of every change. Returns how to stop. */
  readonly subscribe: (listener: (state: State) => void) => () => void;
}

/** What a list is until the service has said what is in it. */
export const nothingYet: LiveState<never> = { status: 'connecting', items: [] };

export type LiveList<Item> = Live<LiveState<Item>>;

export interface LiveDocumentState<Item> {
  readonly status: LiveStatus;
  /** Undefined while it is not known, and if there is none that the user may read. */
  readonly document: Item | undefined;
  readonly error?: PlinthError;
}

export interface RoomState {
  readonly status: 'connecting' | 'joined' | 'away' | 'refused';
  readonly members: readonly RoomMember[];
  /** Why it is away or refused. */
  readonly error?: PlinthError;
}

/** What a room is until the service has let one in. */
export const outside: RoomState = { status: 'connecting', members: [] };
