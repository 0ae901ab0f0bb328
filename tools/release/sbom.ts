import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ownPackages, readJson, readLockfile, writeJson } from './own-packages.ts';
import type { Packed } from './packages.ts';
import { ReleaseError } from './release-error.ts';

/** A part of the list, as CycloneDX has it. */
interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

interface Bom {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
  readonly [more: string]: unknown;
}

/** Binaries of other platforms have the same licences; their hashes are in the lockfile of whoever installs them. */
const platform = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/**
 * What the packages are made of, by the lockfile: as CycloneDX, each part with its licence and hash, for Linux on x64.
 * The same commit gives the same bytes.
 */
export function listComponents(
  repository: string,
  { version, madeAt, packed }: { version: string; madeAt: string; packed: readonly Packed[] },
): Bom {
  const bom = readBom(repository, version);
  const kept = reachable(bom, refsOf(version), foreignRefs(repository));
  const integrities = new Map(packed.map(({ name, integrity }) => [`${name}@${version}`, integrity]));
  const components = bom.components
    .filter((component) => kept.has(component['bom-ref']))
    .map((component) => withHash(component, integrities.get(component['bom-ref'])))
    .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const bare = components.filter(({ licenses, hashes }) => !licenses?.length || !hashes?.length);
  if (bare.length > 0)
    throw new ReleaseError(
      `The licence or hash of these is not known: ${bare.map((one) => one['bom-ref']).join(', ')}.`,
    );
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  const whole = { type: 'application', name: 'plinth', version, 'bom-ref': `release@${version}` };
  const content = {
    ...bom,
    metadata: { ...bom.metadata, timestamp: madeAt, component: whole },
    components,
    dependencies: [{ ref: whole['bom-ref'], dependsOn: refsOf(version) }, ...dependencies],
  };
  return { ...content, serialNumber: serialOf({ ...content, serialNumber: undefined }) };
}

/** npm wants a version of what it starts from. */
function readBom(repository: string, version: string): Bom {
  const file = join(repository, 'package.json');
  const root = readJson<Record<string, unknown>>(file);
  writeJson(file, { ...root, version });
  try {
    const printed = execFileSync(
      'npm',
      ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'].concat(
        ownPackages.flatMap(({ folder }) => ['--workspace', folder]),
      ),
      { cwd: repository, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    return JSON.parse(printed) as Bom;
  } finally {
    writeJson(file, root);
  }
}

const refsOf = (version: string) => ownPackages.map(({ name }) => `${name}@${version}`);

/** What other platforms install. */
function foreignRefs(repository: string): Set<string> {
  const isForeign = (wanted: string[] | undefined, ours: string) =>
    wanted !== undefined && !wanted.includes(ours);
  const entries = Object.entries(readLockfile(repository).packages).filter(
    ([, { os, cpu, libc }]) =>
      isForeign(os, platform.os) || isForeign(cpu, platform.cpu) || isForeign(libc, platform.libc),
  );
  return new Set(entries.map(([at, entry]) => `${at.split('node_modules/').at(-1)}@${entry.version}`));
}

function reachable(bom: Bom, from: readonly string[], without: ReadonlySet<string>): Set<string> {
  const edges = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const found = new Set<string>();
  const waiting = [...from];
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (found.has(ref) || without.has(ref)) continue;
    found.add(ref);
    waiting.push(...(edges.get(ref) ?? []));
  }
  return found;
}

/** Our own packages have the hash of what was packed just now, and npm calls them by their folders. */
function withHash(component: Component, integrity: string | undefined): Component {
  if (integrity === undefined) return component;
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  const name = component['bom-ref'].slice(0, component['bom-ref'].lastIndexOf('@'));
  return { ...component, name, hashes: [{ alg: 'SHA-512', content }] };
}

/** A UUID that is the content's own. */
function serialOf(content: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
