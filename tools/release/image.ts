import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from './archive.ts';
import { ReleaseError } from './release-error.ts';

/** The image is made of packages of Debian, without a daemon: that takes root, and two programs. */
export function requireImageTools(): void {
  const missing = ['buildah', 'mmdebstrap'].filter((name) => spawnSync(name, ['--version']).status !== 0);
  if (missing.length === 0 && process.getuid?.() === 0) return;
  const needs = missing.length > 0 ? missing.join(' and ') : 'root';
  throw new ReleaseError(`The image needs ${needs}, see docs/deploy.md. To leave it out: --no-image`);
}

interface ImageOfRelease {
  readonly source: string;
  readonly version: string;
  readonly madeAt: Date;
  readonly out: string;
}

/** Builds the image of what was built, and puts it and its bills of materials into the folder of the release. */
export function releaseImage({ source, version, madeAt, out }: ImageOfRelease): void {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-release-image-'));
  try {
    execFileSync('node', ['tools/image/build.ts', '--out', folder], { cwd: source, stdio: ['ignore', 2, 2] });
    const as = `plinth-image-${version}`;
    archive({ folder, from: 'oci', as, madeAt, file: join(out, `${as}.tar`) });
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.cdx.json')))
      copyFileSync(join(folder, name), join(out, name.replace('sbom', as)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
