import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.ts';
import { etcdUrl, patroniSettings, patroniUrl, proxyPorts, proxySettings } from './cluster-settings.ts';
import { openRelease, type PostgresVersion, rootOf } from './debian-releases.ts';
import { addressOf, Hosts, ownAddress, run } from './hosts.ts';

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

const hosts = [1, 2, 3] as const;
const healthyWithinMs = 90_000;
const recoversWithinMs = 10_000;

/** Patroni 3 says `running` of a standby, later ones `streaming`. */
const isWell = ({ state }: Member): boolean => state === 'running' || state === 'streaming';

/** Three PostgreSQL under Patroni, each on a host of its own, with synchronous commits; HAProxy leads to the leader. */
export class Cluster implements AsyncDisposable {
  readonly hosts = new Hosts(hosts.length);
  readonly #folder: string;
  readonly #version: PostgresVersion;
  readonly #programs: ChildProcess[] = [];
  #databases = 0;
  #keptSlot: string | undefined;

  private constructor(folder: string, version: PostgresVersion) {
    this.#folder = folder;
    this.#version = version;
  }

  static async start(within: string, version: PostgresVersion): Promise<Cluster> {
    const folder = join(within, `cluster${version}`);
    await mkdir(folder, { recursive: true });
    await openRelease(version, within);
    const cluster = new Cluster(folder, version);
    const peer = `http://${ownAddress}:2380`;
    const etcd = {
      'data-dir': join(folder, 'etcd'),
      'listen-client-urls': etcdUrl,
      'advertise-client-urls': etcdUrl,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    };
    cluster.#spawn(
      'etcd',
      Object.entries(etcd).map(([name, value]) => `--${name}=${value}`),
    );
    await writeFile(join(folder, 'haproxy.cfg'), proxySettings(hosts));
    for (const host of hosts) await cluster.startHost(host);
    cluster.#spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]);
    await cluster.untilHealthy();
    return cluster;
  }

  /** Starts what a host runs: after it was killed it comes back as a standby. */
  async startHost(host: number): Promise<void> {
    const folder = join(this.#folder, `host${host}`);
    await mkdir(folder, { recursive: true });
    const root = rootOf(this.#version);
    run('chroot', root, 'chown', 'postgres:postgres', folder);
    await chmod(folder, 0o700);
    const settings = join(this.#folder, `patroni${host}.yml`);
    await writeFile(settings, patroniSettings(host, folder, this.#version));
    const asPostgres = ['--userspec=postgres:postgres', root, 'env', 'LC_ALL=C', `HOME=${folder}`];
    const log = this.#log(`patroni${host}`);
    this.hosts.start(host, 'chroot', [...asPostgres, 'patroni', settings], { stdio: ['ignore', log, log] });
    closeSync(log);
  }

  /** Where clients find the leader; `lasting` keeps connections to one that is no longer it. */
  url(database: string, proxy: keyof typeof proxyPorts = 'ending'): string {
    return `postgres://postgres@${ownAddress}:${proxyPorts[proxy]}/${database}`;
  }

  /** Every host, for clients that look for the leader themselves. */
  urlOfHosts(database: string): string {
    return `postgres://postgres@${hosts.map((host) => `${addressOf(host)}:5432`).join(',')}/${database}`;
  }

  async newDatabase(): Promise<string> {
    const name = `plinth${(this.#databases += 1)}`;
    await this.query('postgres', `CREATE DATABASE ${name}`);
    return name;
  }

  async query(database: string, statement: string): Promise<Record<string, unknown>[]> {
    return ask(this.url(database), statement);
  }

  /** The number of the host that leads. */
  async leader(): Promise<number> {
    return Number((await this.#members()).find(({ role }) => role === 'leader')?.name.slice(-1) ?? 0);
  }

  /** Waits until somebody else leads. */
  async untilLedByOther(than: number): Promise<void> {
    await until('another leader', async () => ![0, than].includes(await this.leader()));
  }

  /** A leader, and two standbys that follow, one of them in step. */
  async untilHealthy(withinMs?: number): Promise<void> {
    const isHealthy = async () => {
      const members = await this.#members();
      const following = members.filter(({ role }) => role !== 'leader');
      const isInStep = following.some(({ role }) => role === 'sync_standby');
      return following.length === 2 && members.every(isWell) && isInStep;
    };
    await until('a healthy cluster', isHealthy, withinMs);
  }

  /** Hands over in good order. */
  async switchOver(): Promise<void> {
    const leader = await this.leader();
    await this.#tell(leader, 'POST', '/switchover', { leader: `host${leader}` });
  }

  /** Patroni brings the replication slot of a database along to the next leader, once it is on every host. */
  async keepSlotOf(database: string): Promise<void> {
    const [row] = await this.query(
      database,
      'SELECT oid FROM pg_database WHERE datname = current_database()',
    );
    const name = `plinth_${String(row?.oid)}`;
    this.#keptSlot = name;
    const slot = { type: 'logical', database, plugin: 'pgoutput' };
    await this.#tell(await this.leader(), 'PATCH', '/config', { slots: { [name]: slot } });
    const count = `SELECT count(*)::int AS count FROM pg_replication_slots WHERE slot_name = '${name}'`;
    await until('the slot on every host', async () => {
      const found = await Promise.all(hosts.map((host) => ask(urlOf(host, database), count)));
      return found.every(([slots]) => slots?.count === 1);
    });
    await this.untilHealthy();
  }

  /** Puts right whatever the last fault has left. A host that does not come back by itself is started again. */
  async repair(): Promise<void> {
    for (const host of hosts) this.hosts.plugIn(host);
    await this.untilHealthy(recoversWithinMs).catch(() => this.#restartUnwell());
    await this.untilHealthy();
    if (this.#keptSlot === undefined) return;
    await this.#tell(await this.leader(), 'PATCH', '/config', { slots: { [this.#keptSlot]: null } });
    this.#keptSlot = undefined;
  }

  async #restartUnwell(): Promise<void> {
    const well = (await this.#members()).filter(isWell).map(({ name }) => name);
    for (const host of hosts.filter((one) => !well.includes(`host${one}`))) {
      this.hosts.kill(host);
      await this.startHost(host);
    }
  }

  /** The last lines of every log. */
  lastWords(): string {
    return run('sh', '-c', 'tail -n 12 "$0"/*.log', this.#folder);
  }

  async #tell(host: number, method: string, path: string, body: unknown): Promise<void> {
    const response = await fetch(`${patroniUrl(host)}${path}`, {
      method,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`Patroni: ${response.status} ${await response.text()}`);
  }

  /** As any host that answers sees them. */
  async #members(): Promise<readonly Member[]> {
    for (const host of hosts) {
      const seen = await fetch(`${patroniUrl(host)}/cluster`, { signal: AbortSignal.timeout(1500) })
        .then((response) => response.json() as Promise<{ members: Member[] }>)
        .catch(() => undefined);
      if (seen) return seen.members;
    }
    return [];
  }

  #spawn(program: string, args: readonly string[]): void {
    const log = this.#log(program);
    this.#programs.push(spawn(program, args, { stdio: ['ignore', log, log] }));
    closeSync(log);
  }

  #log(name: string): number {
    return openSync(join(this.#folder, `${name}.log`), 'a');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of hosts) this.hosts.kill(host);
    const ended = this.#programs.map((program) => once(program, 'exit'));
    for (const program of this.#programs) program.kill('SIGKILL');
    await Promise.all(ended);
    this.hosts[Symbol.dispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const urlOf = (host: number, database: string): string =>
  `postgres://postgres@${addressOf(host)}:5432/${database}`;

/** Whatever cannot be asked is not so yet. */
async function until(
  what: string,
  isSo: () => Promise<boolean>,
  withinMs: number = healthyWithinMs,
): Promise<void> {
  for (const begun = performance.now(); !(await isSo().catch(() => false)); await sleep(250))
    if (performance.now() - begun > withinMs) throw new Error(`There was not ${what} in time.`);
}
