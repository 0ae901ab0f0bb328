import type { ConnectionReport } from '@plinth/protocol';
import type { Project } from '../../../calls/index.ts';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { WindowCounter } from '../../../platform/counters/window-counter.ts';
import type { Scans } from '../../../platform/db/scans.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { OtherChange } from '../../data/index.ts';
import { tooManySubscriptions } from '../errors.ts';
import { CellFeeds, type CellFeedsDeps } from '../feed/index.ts';
import type { Guest, Rooms } from '../rooms/index.ts';
import type { SubscriptionDeps } from '../subscriptions/index.ts';
import { RenewalBudget } from './renewal-budget.ts';

export interface GatewayDeps extends CellFeedsDeps {
  readonly scans: Scans;
  readonly counter: WindowCounter;
  /** As it is now, from memory. */
  readonly findProject: (ref: string) => NowOrLater<Project | undefined>;
  readonly rooms: Rooms;
  /** Calls a minute from one address whose credentials are not known. */
  readonly addressLimit: number;
  /** Of a project, to this node. */
  readonly mostConnections: number;
}

/** A live connection, as the gateway knows it. */
export interface LiveConnection extends Guest {
  /** The names under which it is found. */
  names: readonly string[];
  /** Undefined while nobody has said who is there. */
  readonly cell: number | undefined;
  isSubscribedTo(collection: number): boolean;
  readonly subscriptionCount: number;
  /** What is told of it. */
  readonly report: ConnectionReport;
  /** The rules of the collection may have changed, the collection may be gone, or a rule may go through a new link. */
  renewQueries(collection: number, changed: 'collection' | 'links'): Promise<void>;
  /** The role or the session of the user may have changed, or be gone. */
  renewOwner(): Promise<void>;
  /** The node is about to stop, or cannot go on with it. */
  goAway(): void;
}

const checkEveryMs = 2000;

/** Snapshots that are in memory at once, of all projects and of one: each has sixteen megabytes at most. */
const snapshotPlaces = 12;
const snapshotShare = 6;

/** What callers of a kind may take of the connections of a project, so that none of them keeps all others out. */
const shares = [
  ['nobody ', 0.5],
  ['user ', 0.25],
] as const;
const described = { 'nobody ': 'Callers who are not signed in', 'user ': 'The devices of one user' };

/** The live connections of this node, and the feeds that they read. */
export class Gateway {
  readonly deps: GatewayDeps;
  readonly subscriptions: SubscriptionDeps;
  readonly #connections = new Set<LiveConnection>();
  readonly #byName = new Map<string, Set<LiveConnection>>();
  readonly #renewals = new RenewalBudget();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: GatewayDeps) {
    this.deps = deps;
    const feeds = new CellFeeds(deps, {
      renewalAfter: (change) => this.#renewalAfter(change),
      onGap: (cell, project) => this.#renewAll(cell, project),
    });
    this.subscriptions = { ...deps, feeds, snapshots: new FairSemaphore(snapshotPlaces, snapshotShare) };
  }

  add(connection: LiveConnection): void {
    this.#connections.add(connection);
  }

  remove(connection: LiveConnection): void {
    this.#connections.delete(connection);
    for (const name of connection.names) this.#forget(name, connection);
  }

  /** Notes under which names a connection is found: its project, user and session. */
  rename(connection: LiveConnection, names: readonly [project: string, ...others: string[]]): void {
    const [project] = names;
    const others = this.#byName.get(project);
    if (!connection.names.includes(project) && (others?.size ?? 0) >= this.deps.mostConnections)
      throw tooManySubscriptions('The project has reached its limit of realtime connections to this node.');
    for (const [name, part] of shares) {
      const own = names.find((one) => one.startsWith(name));
      const most = Math.ceil(this.deps.mostConnections * part);
      if (own === undefined || connection.names.includes(own)) continue;
      if ((this.#byName.get(own)?.size ?? 0) >= most)
        throw tooManySubscriptions(
          `${described[name]} can have at most ${most} of the connections of a project.`,
        );
    }
    for (const name of connection.names) this.#forget(name, connection);
    connection.names = names;
    for (const name of names) {
      const named = this.#byName.get(name) ?? new Set();
      this.#byName.set(name, named.add(connection));
    }
  }

  /** The connections of a project to this node. */
  reportsOf(projectId: string): ConnectionReport[] {
    return Array.from(this.#byName.get(`project ${projectId}`) ?? [], ({ report }) => report);
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  get subscriptionCount(): number {
    let sum = 0;
    for (const { subscriptionCount } of this.#connections) sum += subscriptionCount;
    return sum;
  }

  start(): void {
    this.deps.rooms.start();
    const failed = reporting(this.deps.log, 'live connections could not be checked');
    const check = () => {
      for (const connection of this.#connections) connection.check().catch(() => {});
    };
    this.#timer = setInterval(guarded(failed, check), checkEveryMs).unref();
  }

  /** Asks everyone to connect to another node. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.deps.rooms.stop();
    for (const connection of this.#connections) connection.goAway();
    await this.subscriptions.feeds.stop();
  }

  #forget(name: string, connection: LiveConnection): void {
    const named = this.#byName.get(name);
    named?.delete(connection);
    if (named?.size === 0) this.#byName.delete(name);
  }

  /** What a change of a user, a session or a collection demands of the connections that depend on it. */
  #renewalAfter({ kind, project, id }: OtherChange): (() => Promise<void>) | undefined {
    if (kind === 'collection' || kind === 'links') {
      const collection = Number(id);
      const ofProject = [...(this.#byName.get(`project ${project}`) ?? [])];
      const concerned = ofProject.filter((one) => one.isSubscribedTo(collection));
      return this.#renewal(concerned, (one) => one.renewQueries(collection, kind));
    }
    const name = `${kind} ${project} ${id}`;
    const concerned = [...(this.#byName.get(name) ?? [])];
    const renewals = concerned.reduce((sum, one) => sum + one.subscriptionCount, 0);
    if (this.#renewals.take(name, renewals)) return this.#renewal(concerned, (one) => one.renewOwner());
    // They find their place again by their cursors, without anybody waiting for it.
    for (const one of concerned) one.goAway();
    return undefined;
  }

  async #renewAll(cell: number, project?: string): Promise<void> {
    const all = project === undefined ? this.#connections : (this.#byName.get(`project ${project}`) ?? []);
    const concerned = [...all].filter((one) => one.cell === cell);
    await this.subscriptions.feeds.caughtUp(cell);
    await this.#renewal(concerned, (one) => one.renewOwner())?.();
  }

  #renewal(
    connections: readonly LiveConnection[],
    renew: (one: LiveConnection) => Promise<void>,
  ): (() => Promise<void>) | undefined {
    if (connections.length === 0) return undefined;
    const renewOrClose = async (one: LiveConnection) => {
      try {
        await renew(one);
      } catch (error) {
        this.deps.log.warn({ err: error }, 'a live connection could not be renewed and was closed');
        one.goAway();
      }
    };
    return async () => {
      await Promise.all(connections.map(renewOrClose));
    };
  }
}
