import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is published, each after those it depends on. */
export const ownPackages = [
  { name: '@plinth/protocol', folder: 'packages/protocol' },
  { name: '@plinth/client', folder: 'packages/client' },
  { name: '@plinth/react', folder: 'packages/react' },
  { name: '@plinth/tanstack-db', folder: 'packages/tanstack-db' },
  { name: '@plinth/runtime', folder: 'packages/runtime' },
  { name: '@plinth/dashboard', folder: 'packages/dashboard' },
  { name: '@plinth/site', folder: 'packages/site' },
  { name: '@plinth/postgres', folder: 'packages/postgres' },
  { name: 'plinth', folder: 'packages/server' },
] as const;

interface Manifest {
  version?: string;
  readonly [section: string]: unknown;
}

interface Lockfile {
  readonly packages: Record<string, Manifest & { os?: string[]; cpu?: string[]; libc?: string[] }>;
}

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const ownNames = new Set<string>(ownPackages.map(({ name }) => name));

export const readLockfile = (repository: string): Lockfile => readJson(join(repository, 'package-lock.json'));

/** The version of the repository as it is. */
export function currentVersion(repository: string): string {
  return readJson<{ version: string }>(join(repository, 'packages/server/package.json')).version;
}

/** Where else the version is written, between what stays of a line. */
const versionLines: readonly (readonly [file: string, line: RegExp])[] = [
  ['deploy/chart/Chart.yaml', /^((?:appV|v)ersion: ).*()$/gm],
  ['deploy/compose.yaml', /^( *image: \$\{PLINTH_IMAGE:-plinth:).*(\})$/gm],
];

/** All packages have one version, and ask for each other in just that one; so have chart and compose file. */
export function setVersion(repository: string, version: string): void {
  const lockfile = readLockfile(repository);
  for (const { folder } of ownPackages) {
    const file = join(repository, folder, 'package.json');
    const manifest = readJson<Manifest>(file);
    for (const one of [manifest, lockfile.packages[folder]]) if (one) setIn(one, version);
    writeJson(file, manifest);
  }
  writeJson(join(repository, 'package-lock.json'), lockfile);
  for (const [name, line] of versionLines) {
    const file = join(repository, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(line, `$1${version}$2`));
  }
}

function setIn(manifest: Manifest, version: string): void {
  manifest.version = version;
  for (const section of sections) {
    const named = manifest[section] as Record<string, string> | undefined;
    for (const name of Object.keys(named ?? {})) if (ownNames.has(name)) named![name] = version;
  }
}

export function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8')) as Content;
}

export function writeJson(file: string, content: unknown): void {
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}
