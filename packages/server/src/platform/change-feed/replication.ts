import type { Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import { LogicalReplicationService, type Pgoutput, PgoutputPlugin } from 'pg-logical-replication';
import { NoAnswerError } from '../db/connection.ts';
import type { DatabaseServer } from '../db/database-server.ts';
import { guarded } from '../guarded.ts';
import { formatLsn, parseLsn } from './position.ts';
import { identifyLog, type ServerLog } from './server-log.ts';

export type Tuple = Readonly<Record<string, string | null>>;

/** A row that was inserted (no `before`), updated or deleted (no `after`). Values are PostgreSQL's text. */
export interface ChangedRow {
  /** With its schema. */
  readonly table: string;
  readonly before?: Tuple;
  readonly after?: Tuple;
}

/** What is kept of a changed row. Flat, because streams keep it so. */
export type ChangeFields = Readonly<Record<string, string>>;

/** What one commit changed in published tables, in order. */
export interface CommittedTransaction {
  readonly xid: number;
  readonly endLsn: bigint;
  /** By the clock of PostgreSQL. */
  readonly committedAt: Date;
  readonly rows: readonly ChangeFields[];
}

interface ReplicationOptions {
  readonly server: DatabaseServer;
  readonly slot: string;
  readonly publications: readonly string[];
  /**
   * What is kept of a row until its commit comes, if anything: a transaction may be large, and so may rows. `messages` are
   * the prefixes of those that the transaction has written into the log so far.
   */
  readonly readRow: (row: ChangedRow, messages: readonly string[]) => ChangeFields | undefined;
  /**
   * Called for one commit after the other. If it returns a promise, nothing more is read from the connection until that
   * is resolved. What it throws ends the replication.
   */
  readonly onCommit: (transaction: CommittedTransaction) => Promise<void> | undefined;
  /** All commits that end before this point of the log have been handed over. */
  readonly onIdle: (lsn: bigint) => void;
}

const tellEveryMs = 1000;
/** A holder that is silent for this long loses the slot. */
const silenceMs = 3000;

/** Reads commits through a replication slot, which only one process can do at a time. */
export class Replication {
  readonly #options: ReplicationOptions;
  readonly #service: LogicalReplicationService;
  readonly #plugin: TextPlugin;
  readonly #connection: ClientConfig = {
    application_name: 'plinth change feed',
    keepAlive: true,
    options: `-c wal_sender_timeout=${silenceMs}`,
  };
  #confirmed = 0n;
  #heardAt = 0;
  #isPaused = false;
  #open: { xid: number; rows: ChangeFields[]; messages: string[] } | undefined;
  #failure: unknown;
  #isStopped = false;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    const failed = (error: unknown) => this.fail(error);
    this.#plugin = new TextPlugin(
      { protoVersion: 1, publicationNames: [...options.publications], messages: true },
      guarded(failed, (message) => this.#read(message)),
    );
    this.#service = new LogicalReplicationService(
      this.#connection,
      // By itself the library confirms whatever it has received. Only what was handled may be confirmed.
      { acknowledge: { auto: false, timeoutSeconds: 0 } },
    );
    this.#service.on(
      'heartbeat',
      guarded(failed, (lsn: string, _sentAt: number, isAnswerWanted: boolean) => {
        this.#heardAt = performance.now();
        if (!this.#open) this.#options.onIdle(parseLsn(lsn));
        if (isAnswerWanted) return this.#tell();
      }),
    );
    // `run` throws what fails.
    this.#service.on('error', () => {});
    listenFromTheStart(this.#service);
  }

  /** Reads until `stop` is called; throws what ends it otherwise, such as that another process holds the slot. */
  async run(onStart: (source: ServerLog) => void): Promise<void> {
    const failed = (error: unknown) => this.fail(error);
    this.#service.once(
      'start',
      // It may have been told to stop while it was connecting.
      guarded(failed, () => {
        const { source } = this.#plugin;
        return this.#isStopped || !source ? this.#service.stop() : onStart(source);
      }),
    );
    const { server } = this.#options;
    Object.assign(this.#connection, {
      connectionString: await server.findPrimary(),
      connectionTimeoutMillis: server.connectTimeoutMs,
    });
    this.#heardAt = performance.now();
    const timer = setInterval(
      guarded(failed, () => this.#beat()),
      tellEveryMs,
    );
    try {
      await this.#service.subscribe(this.#plugin, this.#options.slot);
    } finally {
      clearInterval(timer);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** PostgreSQL may forget what was committed up to here. */
  confirm(lsn: bigint): void {
    if (lsn > this.#confirmed) this.#confirmed = lsn;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#service.stop();
  }

  /** Says how far it is, and asks for a word back. */
  async #tell(): Promise<void> {
    // The library adds one.
    if (this.#confirmed > 0n) await this.#service.acknowledge(formatLsn(this.#confirmed - 1n), true);
  }

  /** A server that has vanished would be listened to for ever. While reading is paused nothing can be heard. */
  async #beat(): Promise<void> {
    if (this.#isPaused) this.#heardAt = performance.now();
    if (performance.now() - this.#heardAt > 2 * silenceMs) throw new NoAnswerError(2 * silenceMs);
    await this.#tell();
  }

  /** Ends the reading. `run` throws the first failure. */
  fail(reason: unknown): void {
    this.#failure ??= reason;
    this.#service.stop().catch(() => {});
  }

  #read(message: Pgoutput.Message): void {
    // Nothing after what has failed may be told, or it would seem that nothing is missing.
    if (this.#failure !== undefined) return;
    if (message.tag === 'begin') {
      this.#open = { xid: message.xid >>> 0, rows: [], messages: [] };
    } else if (message.tag === 'message') {
      this.#open?.messages.push(message.prefix);
    } else if (message.tag === 'insert' || message.tag === 'update' || message.tag === 'delete') {
      const row = this.#open && this.#options.readRow(rowOf(message), this.#open.messages);
      if (row) this.#open?.rows.push(row);
    } else if (message.tag === 'commit') {
      this.#commit(message);
    }
  }

  #commit({ commitEndLsn, commitTime }: Pgoutput.MessageCommit): void {
    const transaction = this.#open;
    this.#open = undefined;
    if (!transaction) return;
    if (commitEndLsn === null) throw new Error('PostgreSQL did not say where a commit ends.');
    const { xid, rows } = transaction;
    const committedAt = new Date(Number(commitTime) / 1000);
    const room = this.#options.onCommit({ xid, rows, endLsn: parseLsn(commitEndLsn), committedAt });
    if (room) this.#pauseUntil(room);
  }

  /** What has arrived already is still read; PostgreSQL waits with the rest. */
  #pauseUntil(room: Promise<void>): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#plugin.stream?.pause();
    const resume = () => {
      this.#isPaused = false;
      this.#plugin.stream?.resume();
    };
    room.then(resume).catch((error: unknown) => this.fail(error));
  }
}

/**
 * The library listens for errors of a connection once it is there. One that arrives together with the end of the handshake,
 * such as that the server is being shut down, would end the process.
 */
function listenFromTheStart(service: LogicalReplicationService): void {
  service['client'] = async () => {
    await service.stop();
    const client = new Client({ ...service.clientConfig, replication: 'database' } as ClientConfig);
    client.on('error', (error) => service.emit('error', error));
    service['_client'] = client;
    await client.connect();
    service['_connection'] = client.connection;
    return [client, client.connection];
  };
}

type RowMessage = Pgoutput.MessageInsert | Pgoutput.MessageUpdate | Pgoutput.MessageDelete;

/** Of the old row only the key is known, unless the table publishes whole old rows. */
function rowOf(message: RowMessage): ChangedRow {
  const table = tableOf(message);
  if (message.tag === 'insert') return { table, after: message.new };
  const before: Tuple | null = message.old ?? message.key;
  if (message.tag === 'delete') return { table, ...(before && { before }) };
  return { table, before: before ?? message.new, after: message.new };
}

function tableOf({ relation }: { relation: Pgoutput.MessageRelation }): string {
  return `${relation.schema}.${relation.name}`;
}

/** Asks first which log it is, leaves values as PostgreSQL wrote them, and hands messages over as they arrive. */
class TextPlugin extends PgoutputPlugin {
  readonly #onMessage: (message: Pgoutput.Message) => void;
  source: ServerLog | undefined;
  stream: Duplex | undefined;

  constructor(options: Pgoutput.Options, onMessage: (message: Pgoutput.Message) => void) {
    super(options);
    this.#onMessage = onMessage;
  }

  override async start(client: Client, slot: string, from: string): Promise<unknown> {
    this.source = await identifyLog(client);
    this.stream = client.connection.stream;
    return super.start(client, slot, from);
  }

  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer);
    if (message.tag === 'relation') for (const column of message.columns) column.parser = (text) => text;
    this.#onMessage(message);
    return message;
  }
}
