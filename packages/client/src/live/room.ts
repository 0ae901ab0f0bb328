import type { RoomMember, ServerMessage } from '@plinth/protocol';
import type { Json } from '../project-types.ts';
import { Store } from '../store.ts';
import type { Connection } from './connection.ts';
import { outside, type RoomState } from './live-state.ts';
import { errorOf } from './subscription.ts';

type Hearer = (message: unknown, from: RoomMember) => void;

/** Being in a room: while somebody is subscribed, and again after every break. */
export class Membership extends Store<RoomState> {
  readonly #name: string;
  readonly #connection: Connection;
  readonly #onGone: () => void;
  readonly hearers = new Set<Hearer>();
  #stop: (() => void) | undefined;
  #goodbye: ReturnType<typeof setTimeout> | undefined;
  #shown: Json | undefined;

  constructor(connection: Connection, name: string, onGone: () => void) {
    super(outside);
    this.#connection = connection;
    this.#name = name;
    this.#onGone = onGone;
  }

  say(message: Json): boolean {
    const isIn = this.get().status === 'joined';
    return isIn && this.#connection.send({ type: 'broadcast', room: this.#name, message });
  }

  show(state: Json): void {
    this.#shown = state;
    if (this.get().status === 'joined') this.#connection.send({ type: 'presence', room: this.#name, state });
  }

  protected override started(): void {
    clearTimeout(this.#goodbye);
    this.#stop ??= this.#connection.follow({
      onReady: () => this.#connection.send({ type: 'join', room: this.#name }),
      onMessage: (message) => this.#take(message),
      onLost: (status, error) => this.set({ status, members: [], error }),
      onOtherUser: () => this.set(outside),
    });
  }

  protected override stopped(): void {
    this.#goodbye = setTimeout(() => {
      if (this.get().status === 'joined') this.#connection.send({ type: 'leave', room: this.#name });
      this.#stop?.();
      this.#stop = undefined;
      this.#onGone();
    }, 2000);
  }

  #take(message: ServerMessage): void {
    if (!('room' in message) || message.room !== this.#name) return;
    if (message.type === 'message')
      for (const hear of Array.from(this.hearers)) hear(message.message, message.from);
    else if (message.type === 'error') {
      // What was said may be refused alone, such as too large a message.
      if (message.code === 'room_closed')
        this.set({ status: 'refused', members: [], error: errorOf(message) });
      else this.set({ ...this.get(), error: errorOf(message) });
    } else {
      this.set({ status: 'joined', members: message.members });
      if (message.type === 'joined' && this.#shown !== undefined) this.show(this.#shown);
    }
  }
}

/** A room: its members and their messages. You are in it as long as there is a subscriber. */
export interface Room {
  readonly name: string;
  readonly get: () => RoomState;
  /** Joins the room, and calls back with its members. Returns a function to leave. */
  readonly subscribe: (listener: (state: RoomState) => void) => () => void;
  /** Calls back with every message, including your own. Also joins the room. */
  readonly onMessage: (hear: Hearer) => () => void;
  /** Sends a message to everyone in the room. False: you are not in the room, and the message was not sent. */
  readonly say: (message: Json) => boolean;
  /** Sets the state that other members see: `{ typing: true }`. */
  readonly show: (state: Json) => void;
}
