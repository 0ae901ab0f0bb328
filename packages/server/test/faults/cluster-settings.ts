import type { PostgresVersion } from './debian-releases.ts';
import { addressOf, ownAddress } from './hosts.ts';

export const etcdUrl = `http://${ownAddress}:2379`;
export const patroniUrl = (host: number): string => `http://${addressOf(host)}:8008`;

/** One port ends connections to a server that is no longer the leader, the other leaves them alone. */
export const proxyPorts = { ending: 5000, lasting: 5001 } as const;

/** As docs/faults.md says, in the JSON that YAML is a superset of. */
export function patroniSettings(host: number, folder: string, version: PostgresVersion): string {
  const address = addressOf(host);
  return JSON.stringify({
    scope: 'plinth',
    name: `host${host}`,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: [`${ownAddress}:2379`] },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            wal_level: 'logical',
            max_connections: 300,
            max_wal_senders: 20,
            max_replication_slots: 20,
            hot_standby_feedback: 'on',
            wal_keep_size: '128MB',
            max_wal_size: '256MB',
            max_slot_wal_keep_size: '256MB',
            wal_log_hints: 'on',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all 0.0.0.0/0 trust', 'host replication all 0.0.0.0/0 trust'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: `${folder}/data`,
      bin_dir: `/usr/lib/postgresql/${version}/bin`,
      pgpass: `${folder}/pgpass`,
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'postgres' },
        rewind: { username: 'postgres' },
      },
      parameters: { unix_socket_directories: folder },
    },
  });
}

export function proxySettings(hosts: readonly number[]): string {
  const servers = hosts.map((host) => `  server host${host} ${addressOf(host)}:5432 check port 8008`);
  const listen = (name: keyof typeof proxyPorts, more: string) => [
    `listen ${name}`,
    `  bind ${ownAddress}:${proxyPorts[name]}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    `  default-server inter 1s fall 2 rise 1 ${more}`.trimEnd(),
    ...servers,
  ];
  return [
    'global',
    '  maxconn 2000',
    'defaults',
    '  mode tcp',
    '  option redispatch',
    '  timeout connect 1s',
    '  timeout client 60m',
    '  timeout server 60m',
    '  timeout check 2s',
    ...listen('ending', 'on-marked-down shutdown-sessions'),
    ...listen('lasting', ''),
    '',
  ].join('\n');
}
