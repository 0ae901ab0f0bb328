import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const packages =
  'postgresql-15 patroni python3-etcd etcd-server haproxy redis-server pgbouncer pgbackrest libfaketime iproute2 mmdebstrap';

/** Debian starts the services of what it installs, unless this file says no. */
const policy = '/usr/sbin/policy-rc.d';

export function installPackages(): void {
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const apt = (...args: readonly string[]) =>
    execFileSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  try {
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', ...packages.split(' '));
  } finally {
    if (isOurs) rmSync(policy);
  }
}
