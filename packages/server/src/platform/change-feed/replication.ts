import type { Client, ClientConfig } from 'pg';
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
  /** Called for one commit after the other. What it throws ends the replication. */
  readonly onCommit: (transaction: CommittedTransaction) => Promise<void>;
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
  #handled = 0;
  #heardAt = 0;
  #open: { xid: number; rows: ChangeFields[]; messages: string[] } | undefined;
  #failure: unknown;
  #isStopped = false;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.#plugin = new TextPlugin({
      protoVersion: 1,
      publicationNames: [...options.publications],
      messages: true,
    });
    this.#service = new LogicalReplicationService(
      this.#connection,
      // By itself the library confirms whatever it has received. Only what was handled may be confirmed.
      { acknowledge: { auto: false, timeoutSeconds: 0 }, flowControl: { enabled: true } },
    );
    const failed = (error: unknown) => this.fail(error);
    // Its promise is waited for: that is how the library reads no faster than this takes.
    this.#service.on('data', (_lsn: string, message: Pgoutput.Message) => this.#take(message));
    this.#service.on(
      'heartbeat',
      guarded(failed, (lsn: string, _sentAt: number, isAnswerWanted: boolean) => {
        this.#heardAt = performance.now();
        if (!this.#open && this.#handled === this.#plugin.parsed) this.#options.onIdle(parseLsn(lsn));
        if (isAnswerWanted) return this.#tell();
      }),
    );
    // `run` throws what fails.
    this.#service.on('error', () => {});
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

  /** A server that has vanished would be listened to for ever. While commits are handled nothing is taken in. */
  async #beat(): Promise<void> {
    if (this.#handled !== this.#plugin.parsed) this.#heardAt = performance.now();
    if (performance.now() - this.#heardAt > 2 * silenceMs) throw new NoAnswerError(2 * silenceMs);
    await this.#tell();
  }

  /** Ends the reading. `run` throws the first failure. */
  fail(reason: unknown): void {
    this.#failure ??= reason;
    this.#service.stop().catch(() => {});
  }

  async #take(message: Pgoutput.Message): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#read(message);
      this.#handled += 1;
    } catch (error) {
      // The library would go on with the next message, and this one would be lost.
      this.fail(error);
    }
  }

  async #read(message: Pgoutput.Message): Promise<void> {
    if (message.tag === 'begin') {
      this.#open = { xid: message.xid >>> 0, rows: [], messages: [] };
    } else if (message.tag === 'message') {
      this.#open?.messages.push(message.prefix);
    } else if (message.tag === 'insert' || message.tag === 'update' || message.tag === 'delete') {
      const row = this.#open && this.#options.readRow(rowOf(message), this.#open.messages);
      if (row) this.#open?.rows.push(row);
    } else if (message.tag === 'commit') {
      const transaction = this.#open;
      this.#open = undefined;
      if (!transaction) return;
      if (message.commitEndLsn === null) throw new Error('PostgreSQL did not say where a commit ends.');
      const { xid, rows } = transaction;
      await this.#options.onCommit({ xid, rows, endLsn: parseLsn(message.commitEndLsn) });
    }
  }
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

/** Asks first which log it is, leaves values as PostgreSQL wrote them, and counts messages. */
class TextPlugin extends PgoutputPlugin {
  parsed = 0;
  source: ServerLog | undefined;

  override async start(client: Client, slot: string, from: string): Promise<unknown> {
    this.source = await identifyLog(client);
    return super.start(client, slot, from);
  }

  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer);
    this.parsed += 1;
    if (message.tag === 'relation') for (const column of message.columns) column.parser = (text) => text;
    return message;
  }
}
