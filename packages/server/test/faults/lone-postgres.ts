import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ensureDatabase,
  type LocalPostgres,
  startLocalPostgres,
} from '../../src/platform/db/local-postgres.ts';
import { BreakableLink } from '../support/breakable-link.ts';
import { freePort } from '../support/redis.ts';
import { ask } from './ask.ts';

const isFine = () => true;
const isNot = () => false;

const settings = { wal_level: 'logical', max_connections: '200', max_slot_wal_keep_size: '256MB' };

/** One PostgreSQL without standbys, and a link to it that can fall silent. */
export class LonePostgres implements AsyncDisposable {
  readonly #folder: string;
  readonly #port: number;
  #server: LocalPostgres;
  #link: BreakableLink;
  /** As the nodes reach it. */
  readonly linkedUrl: string;

  private constructor(folder: string, port: number, server: LocalPostgres, link: BreakableLink, url: string) {
    this.#folder = folder;
    this.#port = port;
    this.#server = server;
    this.#link = link;
    this.linkedUrl = url;
  }

  static async start(within = tmpdir()): Promise<LonePostgres> {
    const folder = await mkdtemp(join(within, 'plinth-faults-'));
    const port = await freePort();
    const server = await startLocalPostgres({ folder, port, settings });
    const link = new BreakableLink(await ensureDatabase(server, 'plinth'));
    return new LonePostgres(folder, port, server, link, await link.open());
  }

  /** As whoever looks from outside reaches it. */
  get url(): string {
    return this.#server.url('plinth');
  }

  /** As after a loss of power: nothing is finished, and it recovers from its log. */
  async crash(): Promise<void> {
    process.kill(await this.#pid(), 'SIGQUIT');
    await this.#server.stop();
  }

  async begin(): Promise<void> {
    this.#server = await startLocalPostgres({ folder: this.#folder, port: this.#port, settings });
  }

  /** Starts it if it has given up, as whoever looks after services does. */
  async ensureRunning(): Promise<void> {
    if (await this.query('SELECT 1').then(isFine, isNot)) return;
    await this.#server.stop();
    await this.begin();
  }

  async query(statement: string): Promise<Record<string, unknown>[]> {
    return ask(this.url, statement);
  }

  /** Every process of it stands still; its connections stay open. */
  async freeze(): Promise<void> {
    await this.#signalAll('SIGSTOP');
  }

  async thaw(): Promise<void> {
    await this.#signalAll('SIGCONT');
  }

  /** Connections that are open never hear anything again, as when their host vanished; new ones work. */
  silence(): void {
    this.#link.silence();
  }

  async #pid(): Promise<number> {
    return Number.parseInt(await readFile(join(this.#folder, 'cluster/postmaster.pid'), 'utf8'), 10);
  }

  async #signalAll(signal: NodeJS.Signals): Promise<void> {
    const parent = await this.#pid();
    process.kill(parent, signal);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' });
    for (const child of children.trim().split(/\s+/)) {
      try {
        process.kill(Number(child), signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#link[Symbol.asyncDispose]();
    await this.#server.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
