import { join } from 'node:path';
import type { Architecture } from './architectures.ts';
import { userId } from './debian.ts';
import { run } from './run.ts';

/** A folder that becomes a layer of the image. */
export interface Layer {
  readonly what: string;
  readonly folder: string;
  /** A folder whose contents go into /var/lib, and are the service's to write. */
  readonly writable?: string;
}

/** Makes images with buildah, without a daemon, in a store of their own. */
export class Buildah {
  readonly #own: readonly string[];
  readonly #version: string;

  constructor(work: string, version: string) {
    // vfs works on every file system, and in a container.
    this.#own = ['--root', join(work, 'store'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs'];
    this.#version = version;
  }

  #buildah(...args: string[]): string {
    return run('buildah', [...this.#own, ...args], { env: { BUILDAH_ISOLATION: 'chroot' } });
  }

  /** The image of one architecture: its layers in turn, so that a release changes only the last. */
  commit(architecture: Architecture, layers: readonly Layer[]): string {
    let image = 'scratch';
    for (const { what, folder, writable } of layers) {
      const container = this.#buildah('from', '--quiet', '--pull-never', '--arch', architecture.name, image);
      this.#buildah('copy', '--quiet', container, folder, '/');
      if (writable !== undefined)
        this.#buildah('copy', '--quiet', '--chown', `${userId}:${userId}`, container, writable, '/var/lib');
      this.#configure(container, architecture);
      this.#buildah('config', '--created-by', what, container);
      image = this.#buildah('commit', '--quiet', '--format', 'oci', '--timestamp', '0', container);
      this.#buildah('rm', container);
    }
    return image;
  }

  #configure(container: string, { name }: Architecture): void {
    const labels = {
      title: 'plinth',
      description: 'An open-source backend for apps.',
      licenses: 'Apache-2.0',
      version: this.#version,
    };
    const settings = [
      ['--arch', name],
      ['--user', `${userId}:${userId}`],
      ['--workingdir', '/home/plinth'],
      ['--env', 'NODE_ENV=production'],
      ['--port', '4400'],
      ['--entrypoint', '["/usr/local/bin/plinth"]'],
      ['--cmd', 'start'],
      ['--stop-signal', 'SIGTERM'],
      ...Object.entries(labels).map(([label, text]) => [
        '--label',
        `org.opencontainers.image.${label}=${text}`,
      ]),
    ];
    this.#buildah('config', ...settings.flat(), container);
  }

  /** Writes one index of all images, as a folder in the layout of OCI. */
  push(images: readonly string[], layout: string): void {
    const list = `plinth:${this.#version}`;
    this.#buildah('manifest', 'create', list);
    for (const image of images) this.#buildah('manifest', 'add', list, image);
    this.#buildah(
      'manifest',
      'push',
      '--quiet',
      '--all',
      '--format',
      'oci',
      list,
      `oci:${layout}:${this.#version}`,
    );
  }
}
