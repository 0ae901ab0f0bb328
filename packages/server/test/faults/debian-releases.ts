import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './hosts.ts';

/** Which Debian has which PostgreSQL. That of this machine needs no folder of its own. */
const releases = { 15: undefined, 17: 'trixie', 18: 'forky' } as const;
export type PostgresVersion = keyof typeof releases;

export const postgresVersions = [15, 17, 18] as const satisfies readonly PostgresVersion[];
const packages = (version: PostgresVersion) => `postgresql-${version},patroni,python3-etcd`;
const cache = '/var/cache/plinth-faults';

/** The root of the Debian that a cluster runs from. */
export function rootOf(version: PostgresVersion): string {
  const release = releases[version];
  return release === undefined ? '/' : join(cache, release);
}

export const programsOf = (version: PostgresVersion): readonly string[] => [
  join(rootOf(version), 'usr/bin/patroni'),
  join(rootOf(version), `usr/lib/postgresql/${version}/bin/postgres`),
];

/** Unpacks the release into its folder, if it is not there yet. */
export function installRelease(version: PostgresVersion): void {
  const release = releases[version];
  if (release === undefined || programsOf(version).every((program) => existsSync(program))) return;
  run('rm', '-rf', rootOf(version));
  run('mkdir', '-p', rootOf(version));
  // A mirror of the next release may be some weeks old; what it has is signed all the same.
  const settings = ['APT::Install-Recommends "false"', 'Acquire::Check-Valid-Until "false"'];
  run(
    'mmdebstrap',
    '--quiet',
    '--variant=minbase',
    `--include=${packages(version)}`,
    ...settings.map((setting) => `--aptopt=${setting}`),
    release,
    rootOf(version),
    mirror(),
  );
}

/** Where this machine has its own packages from. */
function mirror(): string {
  const lines = run('sh', '-c', 'cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true');
  const [, address] = /^(?:URIs:|deb(?: \[.*?\])?) +(\S+\/debian)\/?(?:\s|$)/m.exec(lines) ?? [];
  if (address === undefined) throw new Error('The sources of apt name no mirror of Debian.');
  return address;
}

/** Shows the release the folder of the run; everything mounted is gone with the namespace. */
export async function openRelease(version: PostgresVersion, folder: string): Promise<void> {
  await chmod(folder, 0o755);
  if (rootOf(version) === '/') return;
  for (const path of ['/proc', '/dev', folder]) {
    const inside = join(rootOf(version), path);
    run('mkdir', '-p', inside);
    run('mount', '--rbind', path, inside);
  }
}
