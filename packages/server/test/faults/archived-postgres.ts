import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/redis.ts';
import { ask } from './ask.ts';

const binaries = '/usr/lib/postgresql/15/bin';
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups'];

/** Runs a program as the user of the server, to its end. */
function run(program: string, ...args: readonly string[]): void {
  execFileSync('setpriv', [...asPostgres, program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A PostgreSQL whose log pgBackRest archives, so that it can be brought back to any moment. */
export class ArchivedPostgres implements AsyncDisposable {
  readonly #data: string;
  readonly #settings: string;
  readonly #port: number;
  #server: ChildProcess | undefined;

  private constructor(data: string, settings: string, port: number) {
    this.#data = data;
    this.#settings = settings;
    this.#port = port;
  }

  static async start(folder: string): Promise<ArchivedPostgres> {
    mkdirSync(folder, { recursive: true });
    execFileSync('chown', ['postgres:postgres', folder]);
    const [data, settings] = [join(folder, 'data'), join(folder, 'pgbackrest.conf')];
    const port = await freePort();
    writeFileSync(
      settings,
      [
        '[global]',
        `repo1-path=${join(folder, 'repository')}`,
        `log-path=${folder}`,
        `lock-path=${folder}`,
        'start-fast=y',
        '[plinth]',
        `pg1-path=${data}`,
        `pg1-port=${port}`,
        `pg1-socket-path=${folder}`,
        '',
      ].join('\n'),
    );
    run(join(binaries, 'initdb'), '-D', data, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-U', 'postgres');
    const postgres = new ArchivedPostgres(data, settings, port);
    await postgres.begin();
    postgres.#backrest('stanza-create');
    await postgres.query('postgres', 'CREATE DATABASE plinth');
    return postgres;
  }

  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }

  backUp(): void {
    this.#backrest('--type=full', 'backup');
  }

  async begin(): Promise<void> {
    const archive = `pgbackrest --config=${this.#settings} --stanza=plinth archive-push %p`;
    const settings = {
      port: String(this.#port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: join(this.#data, '..'),
      wal_level: 'logical',
      archive_mode: 'on',
      archive_command: archive,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = [...asPostgres, join(binaries, 'postgres'), '-D', this.#data, ...flags];
    this.#server = spawn('setpriv', args, { stdio: 'ignore' });
    for (let tries = 0; tries < 300; tries += 1) {
      const rows = await this.query('postgres', 'SELECT pg_is_in_recovery() AS waits').catch(() => []);
      if (rows[0]?.waits === false) return;
      await sleep(100);
    }
    throw new Error('PostgreSQL did not start.');
  }

  /** In good order, with everything archived. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  /** Brings the stopped server back to a moment. */
  restore(to: Date): void {
    const target = `${to.toISOString().replace('T', ' ').replace('Z', '')}+00`;
    this.#backrest('--delta', '--type=time', `--target=${target}`, '--target-action=promote', 'restore');
  }

  async query(database: string, statement: string): Promise<Record<string, unknown>[]> {
    return ask(this.url(database), statement);
  }

  #backrest(...args: readonly string[]): void {
    run('pgbackrest', `--config=${this.#settings}`, '--stanza=plinth', ...args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
