import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './architectures.ts';
import { run } from './run.ts';
import type { Component } from './sbom.ts';

interface Packed {
  readonly filename: string;
  readonly integrity: string;
}

/** The build of Node that npm has, in the version that the repository is tested with. */
export function layNode(
  { cpu, triplet }: Architecture,
  { repository, work, root }: { repository: string; work: string; root: string },
): Component {
  const name = `node-linux-${cpu}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  const version = optionalDependencies[name]!;
  const folder = join(work, 'node');
  mkdirSync(folder);
  const [packed] = JSON.parse(run('npm', ['pack', '--json', `${name}@${version}`], { cwd: folder })) as [
    Packed,
  ];
  requireLocked(repository, name, packed.integrity);
  run('tar', ['-xzf', packed.filename], { cwd: folder });
  const program = join(root, 'usr/local/bin/node');
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  copyFileSync(join(folder, 'package/bin/node'), program);
  chmodSync(program, 0o755);
  // Names for debuggers: a seventh of it.
  run(`${triplet}-strip`, ['--strip-all', program]);
  const licence = join(root, 'usr/share/doc/node');
  mkdirSync(licence, { recursive: true });
  copyFileSync(join(folder, 'package/LICENSE'), join(licence, 'LICENSE'));
  return {
    type: 'application',
    name: 'node',
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: ['MIT'],
    hash: { alg: 'SHA-512', content: Buffer.from(packed.integrity.slice(7), 'base64').toString('hex') },
  };
}

/** What was fetched is what the lockfile names. */
function requireLocked(repository: string, name: string, integrity: string): void {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { integrity?: string }>>;
  };
  const locked = packages[`node_modules/${name}`]?.integrity;
  if (locked !== integrity)
    throw new Error(`${name} is ${integrity}; the lockfile says ${locked ?? 'nothing'}.`);
}
