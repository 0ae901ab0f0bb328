import type { ErrorSubject, RoomMember, ServerMessage } from '@plinth/protocol';
import { type RequestContext, requireScope } from '../../../calls/index.ts';
import { type Bus, noteLifeMs } from '../../../platform/bus/bus.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { invalidMessage, roomClosed, tooManySubscriptions } from '../errors.ts';
import { mayJoin, roomScope } from './room-rules.ts';

/** Rooms per connection. @limit too_many_subscriptions */
const mostRooms = 50;
/** The state of one member of a room. @limit invalid_message bytes */
const longestState = 4096;
/** All states in a room: the more members there are, the smaller each must be. @limit invalid_message bytes */
const longestStates = 65_536;
/** Arrivals and departures within this time are announced together. */
const gatherMs = 50;
/** Bytes a second that a room may spend on saying who is there: past it, it says so less often. */
const presenceBytesPerSecond = 8 * 1_048_576;
/** A message, multiplied by the members of its room. @limit invalid_message bytes */
const messageBytes = 64 * 1_048_576;
/** Members listed for a room. @limit - */
const mostMembers = 1000;

/** A connection, as rooms know it. */
export interface Guest {
  readonly id: string;
  readonly context: RequestContext;
  /** Makes sure that what is known of it still holds. */
  check(): Promise<void>;
  say(message: ServerMessage): void;
  /** Says what was written out already: once for all who hear it. */
  sayText(text: string): void;
  complain(error: unknown, about: ErrorSubject): void;
}

/** Says that somebody has come, gone or changed. */
const presenceSign = '{}';

interface Room {
  readonly name: string;
  readonly key: string;
  readonly members: Map<Guest, RoomMember>;
  /** Resolves to the function that ends it. */
  readonly listening: Promise<() => void>;
  telling: NodeJS.Timeout | undefined;
  /** How many members there were on all nodes when it was last told. */
  size: number;
  /** What was told last is paid for at this time. */
  paidAt: number;
}

/** The rooms that connections of this node are in: messages from each member to all, and who is there. Nothing is kept. */
export class Rooms {
  readonly #bus: Bus;
  readonly #failed: (error: unknown) => void;
  readonly #rooms = new Map<string, Room>();
  readonly #roomsOf = new WeakMap<Guest, Set<Room>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: Bus, log: Pick<Log, 'error'>) {
    this.#bus = bus;
    this.#failed = reporting(log, 'a room could not be updated');
  }

  start(): void {
    this.#timer = setInterval(
      guarded(this.#failed, () => this.#renew()),
      noteLifeMs / 3,
    ).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async join(connection: Guest, name: string): Promise<void> {
    await connection.check();
    const { project, principal } = connection.context;
    requireScope(principal, roomScope);
    if (!mayJoin(project, principal, name)) throw roomClosed(name);
    const own = this.#roomsOf.get(connection) ?? new Set();
    this.#roomsOf.set(connection, own);
    if (own.size >= mostRooms)
      throw tooManySubscriptions(`A connection can be in at most ${mostRooms} rooms.`);
    const room = this.#open(project.id, name);
    const member: RoomMember = { connection: connection.id, user: principal.user?.id ?? null };
    room.members.set(connection, member);
    own.add(room);
    await room.listening;
    await this.#bus.note(room.key, connection.id, JSON.stringify(member));
    const members = await this.#membersOf(room);
    room.size = members.length;
    connection.say({ type: 'joined', room: name, members });
    await this.#bus.publish(room.key, presenceSign);
  }

  async leave(connection: Guest, name: string): Promise<void> {
    const { room } = this.#membership(connection, name);
    await this.#remove(room, connection);
  }

  async broadcast(connection: Guest, name: string, message: unknown): Promise<void> {
    const { room, member } = this.#membership(connection, name);
    // The server says who sent it, whatever the message claims.
    const { state: _, ...from } = member;
    const text = JSON.stringify({ from, message });
    const most = Math.floor(messageBytes / Math.max(1, room.size, room.members.size));
    if (Buffer.byteLength(text) > most)
      throw invalidMessage(`In a room of this size, a message can have at most ${most} bytes.`);
    await this.#bus.publish(room.key, text);
  }

  async setState(connection: Guest, name: string, state: unknown): Promise<void> {
    const { room, member: before } = this.#membership(connection, name);
    const most = Math.min(longestState, Math.floor(longestStates / Math.max(room.size, room.members.size)));
    if (Buffer.byteLength(JSON.stringify(state)) > most)
      throw invalidMessage(
        `In a room of this size, a state can have at most ${most} bytes of JSON: all states together can have ${longestStates}.`,
      );
    const member = { ...before, state };
    room.members.set(connection, member);
    await this.#bus.note(room.key, connection.id, JSON.stringify(member));
    await this.#bus.publish(room.key, presenceSign);
  }

  /** The rooms that a connection is in. */
  namesOf(connection: Guest): string[] {
    return Array.from(this.#roomsOf.get(connection) ?? [], ({ name }) => name);
  }

  leaveAll(connection: Guest): void {
    for (const room of this.#roomsOf.get(connection) ?? []) this.#remove(room, connection).catch(() => {});
  }

  /** Removes the connection from rooms that it may no longer be in. */
  check(connection: Guest): void {
    const { project, principal } = connection.context;
    for (const room of this.#roomsOf.get(connection) ?? []) {
      if (mayJoin(project, principal, room.name)) continue;
      this.#remove(room, connection).catch(() => {});
      connection.complain(roomClosed(room.name), { room: room.name });
    }
  }

  #membership(connection: Guest, name: string): { room: Room; member: RoomMember } {
    const room = this.#rooms.get(keyOf(connection.context.project.id, name));
    const member = room?.members.get(connection);
    if (!room || !member) throw invalidMessage(`You are not in the room "${name}". Join it first.`);
    return { room, member };
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
      size: 0,
      paidAt: 0,
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
      const wait = Math.max(gatherMs, room.paidAt - performance.now());
      const tell = () => this.#tellPresence(room);
      room.telling ??= setTimeout(guarded(this.#failed, tell), wait);
      return;
    }
    const { from, message } = heard;
    this.#sayToAll(room, { type: 'message', room: room.name, from, message });
  }

  /** Returns how many bytes that took. */
  #sayToAll(room: Room, message: ServerMessage): number {
    const text = JSON.stringify(message);
    for (const connection of room.members.keys()) connection.sayText(text);
    return text.length * room.members.size;
  }

  async #tellPresence(room: Room): Promise<void> {
    room.telling = undefined;
    try {
      const members = await this.#membersOf(room);
      room.size = members.length;
      const bytes = this.#sayToAll(room, { type: 'presence', room: room.name, members });
      room.paidAt = performance.now() + (bytes / presenceBytesPerSecond) * 1000;
    } catch {
      // The bus is away for a moment. The next arrival or departure announces these too.
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
