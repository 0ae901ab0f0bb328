import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './architectures.ts';
import { run } from './run.ts';
import type { Component } from './sbom.ts';

/** What Node and its native modules are linked with, and what they read. What these would depend on is left out. */
const packages = ['libc6', 'libgcc-s1', 'libstdc++6', 'base-files', 'netbase', 'tzdata', 'ca-certificates'];
const suite = 'trixie';

/** Who the service runs as. */
export const userId = 65_532;

/** Fetches the packages, without running anything of them, and lays out of them what the image keeps. */
export function layDebian(architecture: Architecture, work: string, root: string): Component[] {
  const fetched = join(work, 'fetched');
  const unpacked = join(work, 'unpacked');
  run('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    `--architectures=${architecture.name}`,
    `--include=${packages.join(',')}`,
    // Their archives stay.
    '--skip=cleanup/apt',
    suite,
    fetched,
  ]);
  const archives = join(fetched, 'var/cache/apt/archives');
  const kept = readdirSync(archives)
    .filter((file) => packages.some((name) => file.startsWith(`${name}_`)))
    .map((file) => join(archives, file));
  for (const archive of kept) run('dpkg-deb', ['--extract', archive, unpacked]);
  keepLibraries(architecture, unpacked, root);
  keepFiles(unpacked, root);
  return kept.map((archive) => describePackage(archive, fetched, root));
}

function keepLibraries({ triplet, loader }: Architecture, unpacked: string, root: string): void {
  const libraries = join(root, 'usr/lib', triplet);
  mkdirSync(libraries, { recursive: true });
  mkdirSync(join(root, 'usr/lib64'));
  for (const name of ['lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  for (const name of readdirSync(join(unpacked, 'usr/lib', triplet)))
    if (name.includes('.so')) copy(join(unpacked, 'usr/lib', triplet, name), join(libraries, name));
  copy(join(unpacked, 'usr', loader), join(root, 'usr', loader));
}

function keepFiles(unpacked: string, root: string): void {
  for (const folder of ['etc/ssl/certs', 'usr/share', 'usr/local/bin', 'home/plinth', 'tmp', 'var/lib'])
    mkdirSync(join(root, folder), { recursive: true });
  copy(join(unpacked, 'usr/share/zoneinfo'), join(root, 'usr/share/zoneinfo'));
  for (const name of ['protocols', 'services']) copy(join(unpacked, 'etc', name), join(root, 'etc', name));
  copyFileSync(join(unpacked, 'usr/lib/os-release'), join(root, 'etc/os-release'));
  const certificates = join(unpacked, 'usr/share/ca-certificates/mozilla');
  const texts = readdirSync(certificates)
    .toSorted()
    .map((name) => readFileSync(join(certificates, name), 'utf8'));
  writeFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), texts.join(''));
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0::/:/sbin/nologin\nplinth:x:${userId}:${userId}::/home/plinth:/sbin/nologin\n`,
  );
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nplinth:x:${userId}:\n`);
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  chmodSync(join(root, 'tmp'), 0o1777);
}

const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, verbatimSymlinks: true });

/** A package with its version, hash and licences; their text goes into the image. */
function describePackage(archive: string, fetched: string, root: string): Component {
  const format = ['Package', 'Version', 'Architecture'].map((field) => `\${${field}}`).join('\\n');
  const [name = '', version = '', architecture = ''] = run('dpkg-deb', [
    '--show',
    `--showformat=${format}`,
    archive,
  ]).split('\n');
  const text = readFileSync(join(fetched, 'usr/share/doc', name, 'copyright'), 'utf8');
  const documents = join(root, 'usr/share/doc', name);
  mkdirSync(documents, { recursive: true });
  writeFileSync(join(documents, 'copyright'), text);
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${suite}`,
    licenses: licencesIn(text),
    hash: { alg: 'SHA-256', content: createHash('sha256').update(readFileSync(archive)).digest('hex') },
  };
}

/** The names that a machine-readable copyright file gives; of others, the licences that they refer to. */
function licencesIn(text: string): string[] {
  const stated = Array.from(text.matchAll(/^License: *(\S.*)$/gm), ([, name = '']) => name.trim());
  const linked = Array.from(text.matchAll(/common-licenses\/([\w.-]*\w)/g), ([, name = '']) => name);
  const found = new Set(stated.length > 0 ? stated : linked);
  if (found.size === 0 && /public domain/i.test(text)) found.add('public-domain');
  return [...found].toSorted();
}
