import type { RoomMember, ServerMessage } from '@plinth/protocol';
import { type Bus, noteLifeMs } from '../../platform/bus/bus.ts';
import type { RequestContext } from '../projects/index.ts';
import { invalidMessage, roomClosed, tooManySubscriptions } from './errors.ts';
import { mayJoin } from './room-rules.ts';

const mostRooms = 50;
const longestState = 4096;
/** Those who come and go within this time are told of together. */
const gatherMs = 50;
/** So many members are told of at most. */
const mostMembers = 1000;

/** A connection, as rooms know it. */
export interface Guest {
  readonly id: string;
  readonly context: RequestContext;
  /** Looks whether all that is known of it is still so. */
  check(): Promise<void>;
  say(message: ServerMessage): void;
  complain(error: unknown): void;
}

/** Somebody has come, gone or changed. */
const presenceSign = '{}';

interface Room {
  readonly name: string;
  readonly key: string;
  readonly members: Map<Guest, RoomMember>;
  /** Resolves to what ends it. */
  readonly listening: Promise<() => void>;
  telling: NodeJS.Timeout | undefined;
}

/** Rooms: words from those in it to all in it, and who is there. Nothing of it is kept. */
export class Rooms {
  readonly #bus: Bus;
  readonly #rooms = new Map<string, Room>();
  readonly #roomsOf = new WeakMap<Guest, Set<Room>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  start(): void {
    this.#timer = setInterval(() => this.#renew(), noteLifeMs / 3).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async join(connection: Guest, name: string): Promise<void> {
    await connection.check();
    const { project, principal } = connection.context;
    if (!mayJoin(project, principal, name)) throw roomClosed(name);
    const own = this.#roomsOf.get(connection) ?? new Set();
    this.#roomsOf.set(connection, own);
    if (own.size >= mostRooms) throw tooManySubscriptions(`A connection is in at most ${mostRooms} rooms.`);
    const room = this.#open(project.id, name);
    const member: RoomMember = { connection: connection.id, user: principal.user?.id ?? null };
    room.members.set(connection, member);
    own.add(room);
    await room.listening;
    await this.#bus.note(room.key, connection.id, JSON.stringify(member));
    connection.say({ type: 'joined', room: name, members: await this.#membersOf(room) });
    await this.#bus.publish(room.key, presenceSign);
  }

  async leave(connection: Guest, name: string): Promise<void> {
    const room = this.#roomOf(connection, name);
    await this.#remove(room, connection);
  }

  async broadcast(connection: Guest, name: string, message: unknown): Promise<void> {
    const room = this.#roomOf(connection, name);
    // Who says it is what the server knows, whatever the message claims.
    const { state: _, ...from } = room.members.get(connection)!;
    await this.#bus.publish(room.key, JSON.stringify({ from, message }));
  }

  async setState(connection: Guest, name: string, state: unknown): Promise<void> {
    const room = this.#roomOf(connection, name);
    if (JSON.stringify(state).length > longestState)
      throw invalidMessage(`A state has at most ${longestState} characters of JSON.`);
    const member = { ...room.members.get(connection)!, state };
    room.members.set(connection, member);
    await this.#bus.note(room.key, connection.id, JSON.stringify(member));
    await this.#bus.publish(room.key, presenceSign);
  }

  leaveAll(connection: Guest): void {
    for (const room of this.#roomsOf.get(connection) ?? []) this.#remove(room, connection).catch(() => {});
  }

  /** Those who may not be in a room any more are put out. */
  check(connection: Guest): void {
    const { project, principal } = connection.context;
    for (const room of this.#roomsOf.get(connection) ?? []) {
      if (mayJoin(project, principal, room.name)) continue;
      this.#remove(room, connection).catch(() => {});
      connection.complain(roomClosed(room.name));
    }
  }

  #roomOf(connection: Guest, name: string): Room {
    const room = this.#rooms.get(keyOf(connection.context.project.id, name));
    if (!room?.members.has(connection))
      throw invalidMessage(`You are not in the room "${name}". Join it first.`);
    return room;
  }

  #open(projectId: string, name: string): Room {
    const key = keyOf(projectId, name);
    const known = this.#rooms.get(key);
    if (known) return known;
    const room: Room = {
      name,
      key,
      members: new Map(),
      listening: this.#bus.listen(key, (text) => this.#hear(room, text)),
      telling: undefined,
    };
    this.#rooms.set(key, room);
    return room;
  }

  async #remove(room: Room, connection: Guest): Promise<void> {
    room.members.delete(connection);
    this.#roomsOf.get(connection)?.delete(room);
    if (room.members.size === 0) {
      clearTimeout(room.telling);
      this.#rooms.delete(room.key);
      const stop = await room.listening;
      stop();
    }
    await this.#bus.removeNote(room.key, connection.id);
    await this.#bus.publish(room.key, presenceSign);
  }

  #hear(room: Room, text: string): void {
    const heard = JSON.parse(text) as { from?: RoomMember; message?: unknown };
    if (heard.from === undefined) {
      room.telling ??= setTimeout(() => void this.#tellPresence(room), gatherMs);
      return;
    }
    for (const connection of room.members.keys())
      connection.say({ type: 'message', room: room.name, from: heard.from, message: heard.message });
  }

  async #tellPresence(room: Room): Promise<void> {
    room.telling = undefined;
    try {
      const members = await this.#membersOf(room);
      for (const connection of room.members.keys())
        connection.say({ type: 'presence', room: room.name, members });
    } catch {
      // The bus is away for a moment: whoever comes or goes next is told of together with these.
    }
  }

  async #membersOf(room: Room): Promise<RoomMember[]> {
    const notes = await this.#bus.notes(room.key);
    return notes.slice(0, mostMembers).map((note) => JSON.parse(note) as RoomMember);
  }

  #renew(): void {
    for (const { key, members } of this.#rooms.values())
      for (const [{ id }, member] of members) this.#bus.note(key, id, JSON.stringify(member)).catch(() => {});
  }
}

function keyOf(projectId: string, name: string): string {
  return `room:${projectId}:${name}`;
}
