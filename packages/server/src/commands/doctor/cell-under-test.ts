import { Client } from 'pg';
import { type DatabaseFacts, readDatabaseFacts } from '../../platform/db/database-facts.ts';
import { DatabaseServer } from '../../platform/db/database-server.ts';
import { showUrl } from './show-url.ts';
import { why } from './why.ts';

const connectWithinMs = 4000;

/** The driver takes it, and its types leave it out. */
interface ClientOptions {
  readonly replication?: 'database';
}

/** The database of a cell cannot be used; `cause` says why. */
export class NotReachedError extends Error {}

/** The database of a cell, over connections of the doctor's own. Nothing connects before it is asked for. */
export class CellUnderTest {
  readonly number: number;
  /** Without credentials. */
  readonly address: string;
  readonly #server: DatabaseServer;
  readonly #opened: Client[] = [];
  #client: Promise<Client> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #facts: Promise<DatabaseFacts> | undefined;

  constructor(number: number, url: string) {
    this.number = number;
    this.address = showUrl(url);
    this.#server = new DatabaseServer(url, connectWithinMs);
  }

  /** Does work on a connection that checks share, one after the other. */
  ask<Answer>(work: (client: Client) => Promise<Answer>): Promise<Answer> {
    this.#client ??= this.connect();
    const client = this.#client;
    const answer = this.#last.then(() => client).then(work);
    this.#last = answer.catch(() => {});
    return answer;
  }

  facts(): Promise<DatabaseFacts> {
    this.#facts ??= this.ask(readDatabaseFacts);
    return this.#facts;
  }

  /** Another connection. */
  async connect(options: ClientOptions = {}): Promise<Client> {
    const client = await this.newClient(options);
    try {
      await client.connect();
    } catch (error) {
      throw new NotReachedError(`${this.address} cannot be used: ${why(error)}.`, { cause: error });
    }
    return client;
  }

  /** One that is still to be connected. */
  async newClient(options: ClientOptions = {}): Promise<Client> {
    const client = new Client({
      ...options,
      connectionString: await this.#findPrimary(),
      connectionTimeoutMillis: connectWithinMs,
      application_name: 'plinth doctor',
    });
    // Whoever asks it is told.
    client.on('error', () => {});
    this.#opened.push(client);
    return client;
  }

  /** Where one server is named it is taken as it is, also if it is a standby: a check says so. */
  async #findPrimary(): Promise<string> {
    try {
      return await this.#server.findPrimary();
    } catch (error) {
      throw new NotReachedError(`${this.address} cannot be used: ${why(error)}.`, { cause: error });
    }
  }

  /** Leaves no connection behind, also none that hangs. */
  close(): void {
    for (const client of this.#opened) client.connection.stream.destroy();
  }
}
