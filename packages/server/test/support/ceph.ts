import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface Ceph {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

const startLimitMs = 180_000;

/** A real S3 gateway on the loopback interface: Ceph with one monitor and one store that is in memory. */
export async function startCeph(): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-ceph-'));
  const cluster = new Cluster(folder);
  try {
    return await bringUp(cluster, folder);
  } catch (error) {
    const said = await readFile(join(folder, 'daemons.log'), 'utf8').catch(() => '');
    await cluster.stop();
    throw new Error(`Ceph did not start: ${said.slice(-2000)}`, { cause: error });
  }
}

async function bringUp(cluster: Cluster, folder: string): Promise<Ceph> {
  // An address of its own: no other process takes a port there after it was found free.
  const host = `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;
  const [monitor, gateway] = [await freePort(host), await freePort(host)];
  const clusterId = randomUUID();
  const storeId = randomUUID();
  const keys = {
    accessKeyId: randomBytes(10).toString('hex'),
    secretAccessKey: randomBytes(20).toString('hex'),
  };
  const at = (name: string) => join(folder, name);
  await Promise.all([mkdir(at('mon')), mkdir(at('osd')), mkdir(at('run'))]);
  await writeFile(at('ceph.conf'), settings({ folder, host, monitor, gateway, clusterId }));
  await writeFile(at('keyring'), keyring((await cluster.run('ceph-authtool', '--gen-print-key')).trim()));

  const address = `[v2:${host}:${monitor}]`;
  await cluster.run('monmaptool', '--create', '--fsid', clusterId, '--addv', 'a', address, at('monmap'));
  await cluster.run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', at('monmap'), '--keyring', at('keyring'));
  await cluster.start('ceph-mon', '-f', '-i', 'a');
  await cluster.run('ceph', 'osd', 'new', storeId);
  await cluster.run('ceph', 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=here');
  await cluster.run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', storeId);
  await cluster.start('ceph-osd', '-f', '-i', '0');
  const owner = ['--uid=tests', '--display-name=tests'];
  const secrets = [`--access-key=${keys.accessKeyId}`, `--secret-key=${keys.secretAccessKey}`];
  await cluster.run('radosgw-admin', 'user', 'create', ...owner, ...secrets);
  await cluster.start('radosgw', '-f', '-n', 'client.admin');

  const endpoint = `http://${host}:${gateway}`;
  await cluster.untilAnswered(endpoint);
  return { endpoint, region: 'us-east-1', ...keys, stop: () => cluster.stop() };
}

/** The processes of one cluster. */
class Cluster {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #daemons: ChildProcess[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#environment = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf'), CEPH_ARGS: '' };
  }

  async run(command: string, ...words: string[]): Promise<string> {
    const options = { env: this.#environment, timeout: startLimitMs };
    try {
      return (await promisify(execFile)(command, words, options)).stdout;
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? notInstalled() : error;
    }
  }

  async start(command: string, ...words: string[]): Promise<void> {
    await using log = await open(join(this.#folder, 'daemons.log'), 'a');
    // Should this process be killed, the kernel ends the daemon too.
    const daemon = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...words], {
      env: this.#environment,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(daemon, 'spawn');
    this.#daemons.push(daemon);
  }

  async untilAnswered(endpoint: string): Promise<void> {
    for (const started = performance.now(); performance.now() - started < startLimitMs; ) {
      if (this.#daemons.some(isOver)) break;
      const answer = await fetch(endpoint).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(20);
    }
    throw new Error('The gateway does not answer.');
  }

  /** Not asked but killed: nothing of it is wanted, and a store that is asked first writes its memory to disk. */
  async stop(): Promise<void> {
    await Promise.all(
      this.#daemons.map(async (daemon) => {
        const ended = isOver(daemon) ? undefined : once(daemon, 'exit');
        daemon.kill('SIGKILL');
        await ended;
      }),
    );
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const notInstalled = () =>
  new Error(
    'The tests need Ceph: apt-get install --no-install-recommends ceph-mon ceph-osd ceph-common radosgw',
  );

/** One key for all: the cluster is one program to us. */
function keyring(key: string): string {
  const may = (what: string) => `caps mon = "${what}"\ncaps osd = "allow *"\n`;
  return `[mon.]\nkey = ${key}\ncaps mon = "allow *"
[client.admin]\nkey = ${key}\n${may('allow *')}
[osd.0]\nkey = ${key}\n${may('allow profile osd')}`;
}

function settings(of: {
  folder: string;
  host: string;
  monitor: number;
  gateway: number;
  clusterId: string;
}): string {
  return `[global]
fsid = ${of.clusterId}
keyring = ${of.folder}/keyring
mon_data = ${of.folder}/mon
osd_data = ${of.folder}/osd
run_dir = ${of.folder}/run
crash_dir = ${of.folder}/run
admin_socket =
log_to_file = false
mon_cluster_log_to_file = false
mon_host = v2:${of.host}:${of.monitor}
public_addr = ${of.host}
cluster_addr = ${of.host}
rgw_frontends = beast endpoint=${of.host}:${of.gateway}
auth_allow_insecure_global_id_reclaim = false
# Waiting for more changes to decide on together is what a start of 12 s consists of; without it takes 1 s.
paxos_propose_interval = 0.01
paxos_min_wait = 0.01
mon_client_hunt_interval = 0.3
# One store, so one copy.
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data_avail_warn = 1
mon_data_avail_crit = 1
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_class_update_on_start = false
# What is deleted is to leave the memory soon.
rgw_gc_obj_min_wait = 10
rgw_gc_processor_period = 5
`;
}

async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
