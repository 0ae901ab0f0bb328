import { Client, type ClientConfig, DatabaseError } from 'pg';
import { guarded } from '../guarded.ts';
import { type DatabaseServer, StandbyError } from './database-server.ts';

/** After so long without a word the system asks whether the other end is still there. */
const keepAliveMs = 5000;
/** How long the goodbye may take. */
const endWithinMs = 1000;

export interface ConnectionConfig
  extends Omit<
    ClientConfig,
    'connectionString' | 'host' | 'port' | 'connectionTimeoutMillis' | 'query_timeout'
  > {
  /**
   * What any answer may take. The limits of PostgreSQL are of no use once its machine is gone: those of this side hold
   * then too.
   */
  readonly deadlineMs?: number;
}

/**
 * A connection to the primary of a database. A statement that is not answered in time takes its connection with it, so
 * that nothing ever waits behind one that is dead.
 */
export class Connection extends Client {
  readonly #server: DatabaseServer;
  readonly #url: string;
  readonly #deadlineMs: number | undefined;
  #heardAt = performance.now();

  constructor(server: DatabaseServer, { deadlineMs, ...config }: ConnectionConfig) {
    const url = server.primary ?? server.firstUrl;
    super({
      ...config,
      connectionString: url,
      connectionTimeoutMillis: server.connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
    });
    this.#server = server;
    this.#url = url;
    this.#deadlineMs = deadlineMs;
    // Whoever waits for an answer is told. Without a listener the process would end.
    this.on('error', () => {});
  }

  /** Can it be relied on? */
  get isTrusted(): boolean {
    return this.#server.isTrusted(this.#heardAt);
  }

  /** Ends it at once, with what is under way on it. */
  cut(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

  override query(...parameters: never[]): never {
    const answer: unknown = super.query(...(parameters as unknown as [string]));
    if (this.#deadlineMs !== undefined && answer instanceof Promise) this.#expect(answer, this.#deadlineMs);
    return answer as never;
  }

  override connect(): Promise<Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<Client> | void {
    if (!callback) return this.#connect();
    void this.#connectAndTell(callback);
  }

  async #connectAndTell(callback: ConnectCallback): Promise<void> {
    const [outcome] = await Promise.allSettled([this.#connect()]);
    if (outcome.status === 'fulfilled') callback(null, outcome.value);
    else callback(outcome.reason as Error);
  }

  async #connect(): Promise<this> {
    const url = this.#server.primary ?? (await this.#server.findPrimary());
    if (url !== this.#url) Object.assign(this, addressOf(url));
    let isStandby = false;
    // PostgreSQL says it by itself when a connection begins.
    this.connection.on(
      'parameterStatus',
      this.#guarded(({ parameterName, parameterValue }: ParameterStatus) => {
        if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on';
      }),
    );
    try {
      await super.connect();
      if (isStandby) throw new StandbyError();
    } catch (error) {
      this.#server.noteFailure(url);
      this.connection.stream.destroy();
      throw error;
    }
    return this;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => this.connection.stream.destroy(), endWithinMs);
    this.once('end', () => clearTimeout(timer));
    timer.unref();
    return callback ? super.end(callback) : super.end();
  }

  #guarded<Arguments extends unknown[]>(handle: (...given: Arguments) => void) {
    return guarded<Arguments>(() => this.connection.stream.destroy(), handle);
  }

  #expect(answer: Promise<unknown>, deadlineMs: number): void {
    const sentAt = performance.now();
    const timer = setTimeout(
      this.#guarded(() => {
        this.#server.noteSilence(sentAt);
        this.cut(new NoAnswerError(deadlineMs));
      }),
      deadlineMs,
    );
    const heard = (error?: unknown) => {
      clearTimeout(timer);
      if (error !== undefined && !(error instanceof DatabaseError)) return;
      this.#heardAt = performance.now();
      this.#server.noteAnswer(this.#heardAt);
    };
    answer.then(() => heard(), heard);
  }
}

type ConnectCallback = (error: Error | null, client?: Client) => void;

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The servers of a database differ in nothing else. */
function addressOf(url: string): Pick<Client, 'host' | 'port'> {
  const { host, port } = new Client({ connectionString: url });
  return { host, port };
}

/** PostgreSQL, or the way to it, has vanished. Nobody knows whether the statement was carried out. */
export class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(ms: number) {
    super(`PostgreSQL has not answered within ${ms} ms.`);
  }
}
