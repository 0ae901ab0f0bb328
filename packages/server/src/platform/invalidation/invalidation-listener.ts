import { Client } from 'pg';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';

const channel = 'plinth';
const pingEveryMs = 1000;
const staleAfterMs = 3000;

/**
 * PostgreSQL tells listeners of a commit a moment after readers see it. Notifications stand in one line, though: who adds
 * one and is answered has been told of all before it. Nobody listens to this one.
 */
const mark = `SELECT pg_notify('plinth_mark', '')`;

/**
 * Hears from one database which cached records other nodes have written (`topic:key`, sent with `pg_notify('plinth', …)`
 * in the transaction of the write).
 */
export class InvalidationListener {
  readonly #databaseUrl: string;
  readonly #log: Log;
  readonly #topics = new Map<string, (key: string) => void>();
  readonly #onGap: (() => void)[] = [];
  #client: Client | undefined;
  #heardAt = 0;
  #closed = false;
  #beating = false;
  #lastPing = Promise.resolve();
  #nextPing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(databaseUrl: string, log: Log) {
    this.#databaseUrl = databaseUrl;
    this.#log = log;
  }

  /** Can what was read earlier still be relied on? */
  get isCurrent(): boolean {
    return this.#client !== undefined && performance.now() - this.#heardAt < staleAfterMs;
  }

  onTopic(topic: string, heard: (key: string) => void): void {
    this.#topics.set(topic, heard);
  }

  /** Called when something may have been missed. */
  onGap(forget: () => void): void {
    this.#onGap.push(forget);
  }

  async start(isVital = true): Promise<void> {
    if (isVital) await this.#connect();
    else await this.#beat();
    const failed = reporting(this.#log, 'invalidations could not be looked after');
    this.#timer = setInterval(
      guarded(failed, () => this.#beat()),
      pingEveryMs,
    ).unref();
  }

  /** Resolves when all that readers see until now has been heard of, if the database can be reached. */
  async caughtUp(): Promise<void> {
    this.#nextPing ??= this.#pingNext();
    await this.#nextPing.catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'plinth listener',
      connectionTimeoutMillis: staleAfterMs,
      query_timeout: staleAfterMs,
      // It writes nothing but marks, which need not outlive anything.
      options: '-c synchronous_commit=off',
      keepAlive: true,
    });
    const lost = () => {
      if (this.#client === client) this.#client = undefined;
    };
    // Caches are bypassed until it has connected again, and are empty then.
    const failed = reporting(this.#log, 'an invalidation could not be taken', lost);
    client.on('error', guarded(failed, lost));
    client.on('end', guarded(failed, lost));
    client.on(
      'notification',
      guarded(failed, ({ payload = '' }) => {
        const colon = payload.indexOf(':');
        this.#topics.get(payload.slice(0, colon))?.(payload.slice(colon + 1));
      }),
    );
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (this.#closed) return client.end();
    for (const forget of this.#onGap) forget();
    this.#client = client;
    this.#heardAt = performance.now();
  }

  /** One ping at a time. */
  #ping(client: Client, text = 'SELECT 1'): Promise<void> {
    const ask = async () => {
      const sentAt = performance.now();
      await client.query(text);
      this.#heardAt = sentAt;
    };
    this.#lastPing = this.#lastPing.then(ask, ask);
    return this.#lastPing;
  }

  /** A ping on its way may have been sent before the commit that is waited for: the one after it counts. */
  async #pingNext(): Promise<void> {
    await this.#lastPing.catch(() => {});
    this.#nextPing = undefined;
    if (this.#client) await this.#ping(this.#client, mark);
  }

  async #beat(): Promise<void> {
    if (this.#closed || this.#beating) return;
    this.#beating = true;
    const client = this.#client;
    try {
      if (!client) return await this.#connect();
      await this.#ping(client);
    } catch (error) {
      this.#log.warn({ err: error }, 'no word from the database about invalidations: caches are bypassed');
      if (client && this.#client === client) this.#client = undefined;
      client?.end().catch(() => {});
    } finally {
      this.#beating = false;
    }
  }
}
