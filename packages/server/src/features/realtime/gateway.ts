import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ChangeStream } from '../../platform/changes/change-stream.ts';
import { findSlot } from '../../platform/changes/slot.ts';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import type { Cells } from '../../platform/db/cells.ts';
import type { ChangeListener } from '../../platform/db/change-listener.ts';
import type { Scans } from '../../platform/db/scans.ts';
import type { Log } from '../../platform/log.ts';
import type { Project } from '../projects/index.ts';
import { CellFeed } from './cell-feed.ts';
import type { OtherChange } from './changes.ts';
import { feedAway, tooManySubscriptions } from './errors.ts';
import type { LiveQueryServices } from './live-query.ts';
import type { Guest, Rooms } from './rooms.ts';
import { readVisibility } from './visibility.ts';

export interface GatewayServices extends LiveQueryServices {
  readonly cells: Cells;
  readonly listeners: ReadonlyMap<number, ChangeListener>;
  readonly scans: Scans;
  readonly counter: WindowCounter;
  /** As it is now, from memory. */
  readonly findProject: (ref: string) => Promise<Project | undefined>;
  readonly rooms: Rooms;
  /** Undefined where this process cannot hear what others do. */
  readonly streamOf: ((cell: number) => ChangeStream) | undefined;
  /** Has somebody read the changes of a cell from now on. */
  readonly wantChanges: (cell: number) => void;
  /** Why they could not be read, if they could not. */
  readonly failureOf: (cell: number) => unknown;
  /** Calls a minute from one address whose credentials are not known. */
  readonly addressLimit: number;
  /** Of a project, to this node. */
  readonly mostConnections: number;
  readonly log: Log;
}

/** A live connection, as the gateway knows it. */
export interface LiveConnection extends Guest {
  /** Under which it is looked for. */
  names: readonly string[];
  /** Undefined while nobody has said who is there. */
  readonly cell: number | undefined;
  follows(collection: number): boolean;
  /** A rule of the collection may be another now, or the collection gone. */
  renewQueries(collection: number): Promise<void>;
  /** The user's role or sign-in may be another now, or gone. */
  renewPrincipal(): Promise<void>;
  /** The node is about to stop. */
  goAway(): void;
}

/** How long a subscription waits for the feed to be there. */
const patienceMs = 5000;
const lookEveryMs = 50;
const checkEveryMs = 2000;
/** About ten seconds. */
const mostLooks = 500;

/** The live connections of this node, and the feeds of the cells that they follow. */
export class Gateway {
  readonly services: GatewayServices;
  readonly #feeds = new Map<number, CellFeed>();
  readonly #epochs = new Map<number, string>();
  readonly #connections = new Set<LiveConnection>();
  readonly #byName = new Map<string, Set<LiveConnection>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(services: GatewayServices) {
    this.services = services;
    for (const [cell, listener] of services.listeners) {
      const forget = () => this.#epochs.delete(cell);
      listener.on('feed', forget);
      listener.onGap(forget);
    }
  }

  /** The feed of a cell, entered: to be left again. */
  async enterFeed(cell: number): Promise<CellFeed> {
    const feed = this.#feedOf(cell);
    this.services.wantChanges(cell);
    const until = performance.now() + patienceMs;
    while (!(await feed.enter())) {
      if (performance.now() > until) throw feedAway(await this.#whyAway(cell));
      await sleep(lookEveryMs);
    }
    return feed;
  }

  /** Resolves when this node has heard what has changed in a cell. */
  async caughtUp(cell: number): Promise<void> {
    await this.services.listeners.get(cell)?.caughtUp();
  }

  add(connection: LiveConnection): void {
    this.#connections.add(connection);
  }

  remove(connection: LiveConnection): void {
    this.#connections.delete(connection);
    for (const name of connection.names) this.#forget(name, connection);
  }

  /** Notes under which names a connection is looked for: its project, user and sign-in. */
  rename(connection: LiveConnection, names: readonly string[]): void {
    const [project] = names;
    const others = this.#byName.get(project!);
    if (!connection.names.includes(project!) && (others?.size ?? 0) >= this.services.mostConnections)
      throw tooManySubscriptions('The project has as many realtime connections to this node as it may have.');
    for (const name of connection.names) this.#forget(name, connection);
    connection.names = names;
    for (const name of names) {
      const named = this.#byName.get(name) ?? new Set();
      this.#byName.set(name, named.add(connection));
    }
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  start(): void {
    this.services.rooms.start();
    this.#timer = setInterval(() => {
      for (const connection of this.#connections) connection.check().catch(() => {});
    }, checkEveryMs).unref();
  }

  /** Asks everyone to connect to another node. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.services.rooms.stop();
    for (const connection of this.#connections) connection.goAway();
    await Promise.all([...this.#feeds.values()].map((feed) => feed.stop()));
  }

  #forget(name: string, connection: LiveConnection): void {
    const named = this.#byName.get(name);
    named?.delete(connection);
    if (named?.size === 0) this.#byName.delete(name);
  }

  #feedOf(cell: number): CellFeed {
    const { streamOf } = this.services;
    if (!streamOf) {
      throw feedAway(
        'this node has several processes and no Redis. Set REDIS_URL, or start it with one process.',
      );
    }
    let feed = this.#feeds.get(cell);
    if (!feed) {
      feed = new CellFeed({
        ...this.services,
        stream: streamOf(cell),
        findEpoch: () => this.#findEpoch(cell),
        onOther: (change, xid) => this.#onOther(cell, change, xid),
        onGap: () => this.#renewAll(cell),
      });
      this.#feeds.set(cell, feed);
    }
    return feed;
  }

  async #findEpoch(cell: number): Promise<string | undefined> {
    const { cells, listeners } = this.services;
    const known = this.#epochs.get(cell);
    if (known !== undefined && listeners.get(cell)!.isCurrent) return known;
    const { epoch } = await findSlot(cells.lookupPool(cell));
    if (epoch !== undefined) this.#epochs.set(cell, epoch);
    return epoch;
  }

  async #whyAway(cell: number): Promise<string> {
    const { canDecode, isHeld } = await findSlot(this.services.cells.lookupPool(cell));
    if (!canDecode) return 'PostgreSQL does not keep them. It has to run with wal_level = logical.';
    if (isHeld) return 'another node reads them, and this one has no Redis to hear of them. Set REDIS_URL.';
    const { code = '' } = (this.services.failureOf(cell) ?? {}) as { code?: string };
    return reasons[code] ?? 'no node reads them yet. Try again in a few seconds.';
  }

  /** What comes after this change is judged by what it has made of users, sign-ins and rules. */
  async #onOther(cell: number, { kind, project, id }: OtherChange, xid: number): Promise<void> {
    const concerned =
      kind === 'collection'
        ? [...(this.#byName.get(`project ${project}`) ?? [])].filter((one) => one.follows(Number(id)))
        : [...(this.#byName.get(`${kind} ${project} ${id}`) ?? [])];
    if (concerned.length === 0) return;
    await untilVisible(this.services.cells.lookupPool(cell), xid);
    if (kind === 'collection') await this.caughtUp(cell);
    await this.#renew(concerned, (one) =>
      kind === 'collection' ? one.renewQueries(Number(id)) : one.renewPrincipal(),
    );
  }

  /** Something may have been missed: all of it is looked at again. */
  async #renewAll(cell: number): Promise<void> {
    const concerned = [...this.#connections].filter((one) => one.cell === cell);
    await this.caughtUp(cell);
    await this.#renew(concerned, (one) => one.renewPrincipal());
  }

  async #renew(
    connections: readonly LiveConnection[],
    renew: (one: LiveConnection) => Promise<void>,
  ): Promise<void> {
    const results = await Promise.allSettled(connections.map(renew));
    for (const [at, result] of results.entries()) {
      if (result.status === 'fulfilled') continue;
      this.services.log.warn({ err: result.reason }, 'a live connection could not be renewed, and is closed');
      connections[at]!.goAway();
    }
  }
}

/** What an operator can do something about, by PostgreSQL's code. */
const reasons: Readonly<Record<string, string>> = {
  '42501': 'the role that the service has in PostgreSQL may not replicate. Give it REPLICATION.',
  '53400': 'all replication slots of PostgreSQL are in use. Raise max_replication_slots.',
};

/** A commit can be in the log a moment before readers see it: what is read then would be what was before. */
async function untilVisible(pool: Pool, xid: number): Promise<void> {
  for (let tries = 0; tries < mostLooks; tries += 1) {
    const { rows } = await pool.query<{ seen: string }>('SELECT pg_current_snapshot()::text AS seen');
    if (readVisibility(rows[0]!.seen).sees(xid)) return;
    await sleep(Math.min(tries, 20));
  }
}
