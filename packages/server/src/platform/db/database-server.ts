import { askOnce } from './ask-once.ts';
import { hostsOf } from './hosts.ts';
import { Unanswered } from './unanswered.ts';

/** What PostgreSQL may take to accept a connection where nothing else is configured. */
const defaultConnectTimeoutMs = 2000;

/**
 * Where the connections to one database lead: to the primary among the servers that its URL names. All who connect to a
 * database share what is known of it.
 */
export class DatabaseServer {
  readonly connectTimeoutMs: number;
  readonly unanswered = new Unanswered(async (statement) =>
    askOnce(await this.findPrimary(), this.connectTimeoutMs, statement),
  );
  readonly #urls: readonly string[];
  #primary: string | undefined;
  #looking: Promise<string> | undefined;
  #silentSince = Number.NEGATIVE_INFINITY;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, connectTimeoutMs = defaultConnectTimeoutMs) {
    this.#urls = hostsOf(url);
    this.connectTimeoutMs = connectTimeoutMs;
    if (this.#urls.length === 1) this.#primary = url;
  }

  /** Says who connects to which database, like the URL of each of its servers. */
  get firstUrl(): string {
    return this.#urls[0] ?? '';
  }

  /** The URL of the primary, if it is known: where there is one server, it is. */
  get primary(): string | undefined {
    return this.#primary;
  }

  /** The URL of the primary. It is looked for when nobody has found it yet, or whoever went there found none. */
  async findPrimary(): Promise<string> {
    if (this.#primary !== undefined) return this.#primary;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Whoever went there was not let in, or met a server that takes no writes. */
  noteFailure(url: string): void {
    if (this.#urls.length > 1 && this.#primary === url) this.#primary = undefined;
  }

  /** A statement that was sent then has not been answered. */
  noteSilence(sentAt: number): void {
    this.#silentSince = Math.max(this.#silentSince, sentAt);
  }

  noteAnswer(at: number): void {
    this.#heardAt = at;
  }

  /** Has it answered nothing since then? Who has waited in vain for so long has not waited for other calls. */
  isSilentSince(at: number): boolean {
    return this.#heardAt < at;
  }

  /** Can a connection be relied on that was heard of last at that time? If the server has vanished, it is dead too. */
  isTrusted(heardAt: number): boolean {
    return heardAt > this.#silentSince;
  }

  /** All are asked at once: one that has vanished would keep callers waiting for nothing. */
  async #look(): Promise<string> {
    try {
      this.#primary = await Promise.any(this.#urls.map((url) => this.#ask(url)));
      return this.#primary;
    } catch (error) {
      throw new NoPrimaryError({ cause: error instanceof AggregateError ? error.errors : error });
    }
  }

  /** Returns the URL if its server is the primary. */
  async #ask(url: string): Promise<string> {
    const [row] = await askOnce<{ isStandby: boolean }>(url, this.connectTimeoutMs, {
      text: 'SELECT pg_is_in_recovery() AS "isStandby"',
    });
    if (row?.isStandby !== false) throw new StandbyError();
    return url;
  }
}

/** A server that follows another: it may be behind, and takes no writes. */
export class StandbyError extends Error {
  readonly code = '25006';

  constructor() {
    super('This server of the database is a standby, which does not accept writes.');
  }
}

class NoPrimaryError extends Error {
  readonly code = 'EHOSTUNREACH';

  constructor(options: ErrorOptions) {
    super('None of the servers of the database is a primary that can be reached.', options);
  }
}
