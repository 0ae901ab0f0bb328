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

/** The digest of the index in a folder of OCI's layout, and its images. */
export function readLayout(layout: string): { digest: string; images: Described[] } {
  const blob = <Form>({ digest }: Descriptor): Form =>
    JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8')) as Form;
  const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as {
    manifests: [Descriptor];
  };
  const [index] = manifests;
  const images = blob<{ manifests: Descriptor[] }>(index).manifests.map((descriptor) => {
    const { config, layers } = blob<Manifest>(descriptor);
    return {
      architecture: descriptor.platform?.architecture ?? '',
      digest: descriptor.digest,
      compressedBytes: [config, ...layers].reduce((sum, { size }) => sum + size, 0),
      config: blob<{ config: Described['config'] }>(config).config,
    };
  });
  return { digest: index.digest, images };
}
