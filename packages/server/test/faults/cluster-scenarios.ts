import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { conduct } from './conduct.ts';
import { type PostgresVersion, programsOf } from './debian-releases.ts';
import { Nodes } from './nodes.ts';
import { RedisProcess } from './redis-process.ts';
import type { Rig, Scenario } from './scenario.ts';

interface ClusterFault {
  readonly name: string;
  /** What the proxy does with connections to a server that is no longer the leader; or there is none. */
  readonly proxy?: 'ending' | 'lasting' | 'none';
  /** Patroni brings the replication slot of the change feed along. */
  readonly keepsSlot?: true;
  readonly strike: (cluster: Cluster, leader: number) => Promise<void>;
}

const hosts = [1, 2, 3];

async function killLeader(cluster: Cluster, leader: number): Promise<void> {
  cluster.hosts.kill(leader);
  await cluster.untilLedByOther(leader);
}

async function unplugLeader(cluster: Cluster, leader: number): Promise<void> {
  cluster.hosts.unplug(leader);
  await cluster.untilLedByOther(leader);
}

/** What the leader commits at the end is on no standby, and was answered to nobody: it must not be heard of. */
async function killIsolatedLeader(cluster: Cluster, leader: number): Promise<void> {
  const standbys = hosts.filter((host) => host !== leader);
  for (const host of standbys) cluster.hosts.unplug(host);
  await sleep(600);
  cluster.hosts.kill(leader);
  cluster.hosts.unplug(leader);
  for (const host of standbys) cluster.hosts.plugIn(host);
  await cluster.untilLedByOther(leader);
}

async function switchOver(cluster: Cluster, leader: number): Promise<void> {
  await cluster.switchOver();
  await cluster.untilLedByOther(leader);
}

const faults: readonly ClusterFault[] = [
  { name: 'leader killed', strike: killLeader },
  { name: 'leader killed, the slot kept', keepsSlot: true, strike: killLeader },
  { name: 'link of the leader cut', strike: unplugLeader },
  { name: 'link of the leader cut, the proxy keeps connections', proxy: 'lasting', strike: unplugLeader },
  { name: 'link of the leader cut, nodes look for the next', proxy: 'none', strike: unplugLeader },
  { name: 'standbys cut off, then the leader killed', strike: killIsolatedLeader },
  {
    name: 'standbys cut off, then the leader killed, the slot kept',
    keepsSlot: true,
    strike: killIsolatedLeader,
  },
  { name: 'planned switchover', strike: switchOver },
];

function missesPrograms(version: PostgresVersion): string | undefined {
  const programs = ['/usr/bin/etcd', '/usr/sbin/haproxy', ...programsOf(version)];
  const missing = programs.filter((program) => !existsSync(program));
  return missing.length === 0 ? undefined : `${missing.join(', ')} is not installed`;
}

/** Faults of three PostgreSQL under Patroni with synchronous commits. */
export const clusterScenarios: readonly Scenario[] = faults.map((fault) => ({
  name: fault.name,
  postgres: 'any',
  isMissing: missesPrograms,
  run: (rig) => onCluster(rig, fault),
}));

async function onCluster(rig: Rig, { proxy, keepsSlot, strike }: ClusterFault) {
  const cluster = await rig.cluster();
  await cluster.repair();
  const database = await cluster.newDatabase();
  const databaseUrl = cluster.url(database);
  await using redis = await RedisProcess.start();
  await using nodes = await Nodes.start({
    DATABASE_URL: proxy === 'none' ? cluster.urlOfHosts(database) : cluster.url(database, proxy),
    REDIS_URL: redis.url,
  });
  // Not before the databases are migrated: what a slot tells begins with the publications that were there when it was made.
  if (keepsSlot) await cluster.keepSlotOf(database);
  return await conduct({
    nodes,
    databaseUrl,
    strike: async () => strike(cluster, await cluster.leader()),
  });
}
