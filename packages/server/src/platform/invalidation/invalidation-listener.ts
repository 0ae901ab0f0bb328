import type { Client } from 'pg';
import { type ClockReading, compareClocks } from '../clock/clock-reading.ts';
import { Connection, type ConnectionConfig } from '../db/connection.ts';
import type { DatabaseServer } from '../db/database-server.ts';
import { onlyRow } from '../db/only-row.ts';
import { guarded, reporting } from '../guarded.ts';
import { Leases, takenRoles } from '../leases/leases.ts';
import type { Log } from '../log.ts';
import type { CacheUse } from './cache-use.ts';
import { splitTopic } from './change-log.ts';
import type { Invalidations } from './invalidations.ts';
import { DeafConnectionError, isRefusedByPooler, listenProven } from './prove-listening.ts';

const channel = 'plinth';
const pingEveryMs = 1000;
const staleAfterMs = 3000;

/**
 * PostgreSQL tells listeners of a commit a moment after readers see it. Notifications stand in one line, though: who adds
 * one and is answered has been told of all before it. Nobody listens to this one.
 */
const mark = `SELECT pg_notify('plinth_mark', '')`;
const ping = `SELECT pg_backend_pid() AS pid, pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
  extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, ${takenRoles} AS taken`;

/** For a commit of before the first of so many pings it is certain that it was heard by the last of them. */
const horizonsKept = 10;

interface Answer {
  readonly pid: number;
  readonly horizon: string;
  readonly now: number;
  readonly taken: readonly string[];
}

/**
 * Hears from one database which cached records other nodes have written (`topic:key`, sent with `pg_notify('plinth', …)`
 * in the transaction of the write).
 */
export class InvalidationListener implements Invalidations {
  readonly #server: DatabaseServer;
  readonly #log: Log;
  readonly #topics = new Map<string, (key: string) => void>();
  readonly #onGap: ((client: Client) => unknown)[] = [];
  readonly #horizons: string[] = [];
  /** Held by the connection, which is the one session that a process has with a cell for good. */
  readonly leases = new Leases();
  #client: Client | undefined;
  /** The process of PostgreSQL that listens for us. */
  #backend = 0;
  #heardAt = 0;
  #closed = false;
  #beating = false;
  #lastPing = Promise.resolve();
  #nextPing: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The clock of the database, as it was last read. */
  clock: ClockReading | undefined;

  readonly cacheUse: CacheUse | undefined;

  constructor(server: DatabaseServer, log: Log, cacheUse?: CacheUse) {
    this.#server = server;
    this.cacheUse = cacheUse;
    this.#log = log;
  }

  /** Can what was read earlier still be relied on? */
  get isCurrent(): boolean {
    return this.#client !== undefined && performance.now() - this.#heardAt < staleAfterMs;
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  /** All transactions before this one had ended, and were heard of; undefined before the first ping. */
  get horizon(): string | undefined {
    return this.#horizons[0];
  }

  onTopic(topic: string, heard: (key: string) => void): void {
    this.#topics.set(topic, heard);
  }

  /** Called when something may have been missed, with the connection that hears from now on. */
  onGap(catchUp: (client: Client) => unknown): void {
    this.#onGap.push(catchUp);
  }

  /** Fails if nothing can be heard over this address, or, where it is vital, if the database is away. */
  async start(isVital = true): Promise<void> {
    await this.#connect().catch((error: unknown) => {
      if (isVital || error instanceof DeafConnectionError) throw error;
      this.#warn(error);
    });
    const failed = reporting(this.#log, 'invalidations could not be checked');
    this.#timer = setInterval(
      guarded(failed, () => this.#beat()),
      pingEveryMs,
    ).unref();
  }

  /** True once all that readers see until now has been heard of; false if the database cannot be reached. */
  async caughtUp(): Promise<boolean> {
    this.#nextPing ??= this.#pingNext();
    return this.#nextPing.catch(() => false);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.leases.loseAll();
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const config: ConnectionConfig = {
      application_name: 'plinth listener',
      deadlineMs: staleAfterMs,
      // It writes nothing but marks, which need not outlive anything. If this machine is gone, so are its leases.
      options:
        '-c synchronous_commit=off -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    };
    const client: Client = new Connection(this.#server, config);
    const lost = () => {
      if (this.#client !== client) return;
      this.#lose(client);
      // Until it has connected again, nothing that is cached can be relied on.
      void this.#beat();
    };
    const failed = reporting(this.#log, 'an invalidation could not be processed', lost);
    client.on('error', guarded(failed, lost));
    client.on('end', guarded(failed, lost));
    client.on(
      'notification',
      guarded(failed, ({ payload = '' }) => {
        const { topic, key } = splitTopic(payload);
        this.#topics.get(topic)?.(key);
      }),
    );
    try {
      await client.connect();
      this.#backend = await listenProven(client, channel, {
        other: () => new Connection(this.#server, config),
        withinMs: Math.max(staleAfterMs, this.#server.connectTimeoutMs),
      });
      for (const catchUp of this.#onGap) await catchUp(client);
      await this.#ping(client);
    } catch (error) {
      client.end().catch(() => {});
      throw isRefusedByPooler(error) ? new DeafConnectionError({ cause: error }) : error;
    }
    if (this.#closed) return this.#lose(client);
    this.#client = client;
  }

  #lose(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    this.leases.loseAll();
    client.end().catch(() => {});
  }

  /** One ping at a time. */
  #ping(client: Client): Promise<void> {
    const ask = async () => {
      const sentAt = performance.now();
      const askedAt = Date.now();
      const { rows } = await client.query<Answer>(ping, [this.leases.missing]);
      const { pid, horizon, now, taken } = onlyRow(rows);
      // An answer proves something only if it comes from the process that listens.
      if (pid !== this.#backend) throw new DeafConnectionError();
      this.#heardAt = sentAt;
      this.clock = compareClocks(now, askedAt);
      this.leases.take(taken);
      this.#horizons.push(horizon);
      if (this.#horizons.length > horizonsKept) this.#horizons.shift();
    };
    return this.#afterLast(ask);
  }

  /** Says that a commit was heard of, whose listeners may be told a moment later. */
  #mark(client: Client): Promise<void> {
    return this.#afterLast(async () => {
      const sentAt = performance.now();
      await client.query(mark);
      this.#heardAt = sentAt;
    });
  }

  #afterLast(ask: () => Promise<void>): Promise<void> {
    this.#lastPing = this.#lastPing.then(ask, ask);
    return this.#lastPing;
  }

  /** A ping on its way may have been sent before the commit that is waited for: the one after it counts. */
  async #pingNext(): Promise<boolean> {
    await this.#lastPing.catch(() => {});
    this.#nextPing = undefined;
    if (!this.#client) return this.#closed;
    await this.#mark(this.#client);
    return true;
  }

  async #beat(): Promise<void> {
    if (this.#closed || this.#beating) return;
    this.#beating = true;
    const client = this.#client;
    try {
      if (!client) return await this.#connect();
      await this.#ping(client);
    } catch (error) {
      // A ping that was on its way when the connection was closed.
      if (this.#closed) return;
      this.#warn(error);
      if (client) this.#lose(client);
    } finally {
      this.#beating = false;
      // Lost while a ping was on its way: not only the next beat connects again.
      if (client && !this.#client) void this.#beat();
    }
  }

  #warn(error: unknown): void {
    this.#log.warn({ err: error }, 'invalidations from the database are not arriving: caches are bypassed');
  }
}
