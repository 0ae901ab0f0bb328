import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { guarded } from '../guarded.ts';
import { currentCall } from '../tracing/current-call.ts';
import type { DatabaseMetrics } from './database-metrics.ts';
import { type DatabaseServer, StandbyError } from './database-server.ts';
import { mostPrepared } from './prepared-texts.ts';

/** After so long without a word the system asks whether the other end is still there. */
const keepAliveMs = 5000;
/** How long it counts that PostgreSQL was seen to work on a statement. */
const workingForMs = 3000;
/** Looks in a row that find it idle. Once may mean that its machine is too busy for it to begin. */
const lostFor = 2;
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
  /** After so long without an answer, and again and again, it is asked whether PostgreSQL works on the statement. */
  readonly lookAfterMs?: number;
  /** What operators see of its statements. */
  readonly metrics?: DatabaseMetrics;
}

/**
 * A connection to the primary of a database. A statement that is not answered in time takes its connection with it, so
 * that nothing ever waits behind one that is dead.
 */
export class Connection extends Client {
  readonly #server: DatabaseServer;
  readonly #url: string;
  readonly #deadlineMs: number | undefined;
  readonly #lookAfterMs: number;
  readonly #metrics: DatabaseMetrics | undefined;
  /** The names of its prepared statements, the one that was not used for longest first. */
  readonly #prepared = new Set<string>();
  #heardAt = performance.now();

  constructor(server: DatabaseServer, { deadlineMs, lookAfterMs, metrics, ...config }: ConnectionConfig) {
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
    this.#metrics = metrics;
    this.#lookAfterMs = lookAfterMs ?? Number.POSITIVE_INFINITY;
    // Whoever waits for an answer is told. Without a listener the process would end.
    this.on('error', () => {});
  }

  /** Can it be relied on? */
  get isTrusted(): boolean {
    return this.#server.isTrusted(this.#heardAt);
  }

  /** The process of PostgreSQL that serves it. */
  get process(): number {
    // The types leave it out.
    return (this as unknown as { readonly processID: number }).processID;
  }

  /** Ends it at once, with what is under way on it. */
  cut(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

  override query(...parameters: never[]): never {
    const name = nameOf(parameters[0]);
    if (name !== undefined) this.#makeRoomFor(name);
    const answer: unknown = super.query(...(parameters as unknown as [string]));
    if (this.#deadlineMs !== undefined && answer instanceof Promise)
      this.#expect(answer, this.#deadlineMs, name);
    return answer as never;
  }

  /** PostgreSQL keeps prepared statements, and their plans, until it is told to forget them. */
  #makeRoomFor(name: string): void {
    if (!this.#prepared.delete(name) && this.#prepared.size === mostPrepared) {
      const [oldest = ''] = this.#prepared;
      this.#prepared.delete(oldest);
      const wire = this.connection as unknown as Wire;
      // Goes out before what is sent next, and is answered along with that. One that is not there may be closed, too.
      wire.close({ type: 'S', name: oldest });
      Reflect.deleteProperty(wire.parsedStatements, oldest);
    }
    this.#prepared.add(name);
  }

  override connect(): Promise<Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<Client> | void {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())(callback);
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

  #expect(answer: Promise<unknown>, deadlineMs: number, name: string | undefined): void {
    const sentAt = performance.now();
    let workingAt = Number.NEGATIVE_INFINITY;
    let timesLost = 0;
    const call = this.#metrics && currentCall();
    let timer: NodeJS.Timeout | undefined;
    const giveUp = (reason: Error) => {
      if (timer === undefined) return;
      this.#server.noteSilence(sentAt);
      this.cut(reason);
    };
    const wait = (ms: number) => {
      timer = setTimeout(this.#guarded(look), Math.min(ms, this.#lookAfterMs));
    };
    const ask = async () => {
      const isLost = await this.#isLost();
      timesLost = isLost ? timesLost + 1 : 0;
      if (timesLost === lostFor) giveUp(new LostStatementError());
      else if (isLost === false) workingAt = performance.now();
    };
    const look = () => {
      const now = performance.now();
      const leftMs = sentAt + deadlineMs - now;
      // PostgreSQL is late with its own limit where its machine is busy. While it says that it works, it is there.
      const isPatient = now - workingAt < workingForMs && leftMs > -deadlineMs;
      // An answer that arrived while this process stood still is read first.
      if (leftMs <= 0 && !isPatient)
        return void setImmediate(this.#guarded(() => giveUp(new NoAnswerError(deadlineMs))));
      wait(leftMs <= 0 ? workingForMs : leftMs);
      void ask();
    };
    const heard = (error?: unknown) => {
      clearTimeout(timer);
      timer = undefined;
      if (error !== undefined && !(error instanceof DatabaseError)) return;
      this.#heardAt = performance.now();
      this.#metrics?.answered(this.#heardAt - sentAt, name);
      call?.note('statement', name ?? 'unnamed', sentAt, this.#heardAt);
      this.#server.noteAnswer(this.#heardAt);
    };
    wait(deadlineMs);
    answer.then(() => heard(), heard);
  }

  /** Will nothing come of what was sent? Undefined: that cannot be found out, and the deadline decides. */
  async #isLost(): Promise<boolean | undefined> {
    if (!Number.isFinite(this.#lookAfterMs)) return undefined;
    const stream = this.connection.stream as Socket;
    const before = stream.bytesRead;
    const isLost = await this.#server.unanswered.isLost(this.process).catch(() => undefined);
    // An answer may have come meanwhile, or be so long that it is still being read.
    return isLost && stream.bytesRead === before;
  }
}

/** What the driver has and its types leave out. */
interface Wire {
  readonly parsedStatements: Record<string, string>;
  close(what: { type: 'S'; name: string }): void;
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
    super(`PostgreSQL did not respond within ${ms} ms.`);
  }
}

/** PostgreSQL is there, and does not work on a statement that was sent to it. Nobody knows whether it was carried out. */
export class LostStatementError extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('The connection to PostgreSQL was lost silently: it is not working on the statement it was sent.');
  }
}

/** Under which name a statement is prepared, if it is. */
function nameOf(statement: unknown): string | undefined {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return undefined;
  return typeof statement.name === 'string' ? statement.name : undefined;
}
