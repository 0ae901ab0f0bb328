import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string };
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/** One architecture of an image. */
export interface Described {
  readonly architecture: string;
  readonly digest: string;
  /** What has to be fetched. */
  readonly compressedBytes: number;
  readonly config: {
    readonly User: string;
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Env: readonly string[];
  };
}

/** A file of an image. */
export interface LayerFile {
  readonly path: string;
  /** As `ls -l` shows it. */
  readonly mode: string;
  /** The archive that it is in. */
  readonly layer: string;
}

const pathOf = (layout: string, { digest }: Descriptor) => join(layout, 'blobs', digest.replace(':', '/'));

const blob = <Form>(layout: string, descriptor: Descriptor): Form =>
  JSON.parse(readFileSync(pathOf(layout, descriptor), 'utf8')) as Form;

function readIndex(layout: string): { index: Descriptor; manifests: readonly Descriptor[] } {
  const path = join(layout, 'index.json');
  const [index] = (JSON.parse(readFileSync(path, 'utf8')) as { manifests: [Descriptor] }).manifests;
  return { index, manifests: blob<{ manifests: Descriptor[] }>(layout, index).manifests };
}

/** The digest of the index in a folder of OCI's layout, and its images. */
export function readLayout(layout: string): { digest: string; images: Described[] } {
  const { index, manifests } = readIndex(layout);
  const images = manifests.map((descriptor) => {
    const { config, layers } = blob<Manifest>(layout, descriptor);
    return {
      architecture: descriptor.platform?.architecture ?? '',
      digest: descriptor.digest,
      compressedBytes: [config, ...layers].reduce((sum, { size }) => sum + size, 0),
      config: blob<{ config: Described['config'] }>(layout, config).config,
    };
  });
  return { digest: index.digest, images };
}

/** Every file of one architecture. */
export function filesOf(layout: string, architecture: string): LayerFile[] {
  const found = readIndex(layout).manifests.find(({ platform }) => platform?.architecture === architecture);
  if (!found) throw new Error(`There is no image for ${architecture}.`);
  return blob<Manifest>(layout, found).layers.flatMap((descriptor) => {
    const layer = pathOf(layout, descriptor);
    const lines = execFileSync('tar', ['-tvzf', layer], { encoding: 'utf8', maxBuffer: 1e9 })
      .trim()
      .split('\n');
    return lines.map((line) => {
      const [mode = '', , , , , ...name] = line.split(/\s+/);
      return { path: name.join(' ').replace(/ (?:->|link to) .*$/, ''), mode, layer };
    });
  });
}
