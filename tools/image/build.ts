// npm run image -- [--out <folder>] [--arch amd64,arm64]: the container image, as a folder in the layout of OCI with one
// index for both architectures, and its bill of materials beside it. Needs mmdebstrap and buildah, root, and what
// `npm run build` has made. docs/deploy.md says how to run it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { layApp, packOwn } from './app.ts';
import { readArchitectures } from './architectures.ts';
import { Buildah } from './buildah.ts';
import { layDebian } from './debian.ts';
import { readLayout } from './layout.ts';
import { layNode } from './node.ts';
import { bom } from './sbom.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(repository, 'packages/server/package.json'), 'utf8')) as {
  version: string;
};
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'image' },
    arch: { type: 'string', default: 'amd64,arm64' },
  },
});
const out = resolve(values.out);
const architectures = readArchitectures(values.arch);

// What somebody's umask takes away would be missing for the user of the image.
process.umask(0o022);
const work = mkdtempSync(join(tmpdir(), 'plinth-image-'));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const packed = packOwn(repository, join(work, 'packed'));
  const buildah = new Buildah(work, version);
  const images = architectures.map((architecture) => {
    const own = join(work, architecture.name);
    const [base, node, app] = ['base', 'node', 'app'].map((name) => join(own, 'layers', name)) as [
      string,
      string,
      string,
    ];
    const writable = join(own, 'writable');
    for (const folder of [base, node, app, join(writable, 'plinth')]) mkdirSync(folder, { recursive: true });
    const components = [
      ...layDebian(architecture, own, base),
      layNode(architecture, { repository, work: own, root: node }),
      ...layApp(architecture, { repository, packed, root: app }),
    ];
    writeFileSync(
      join(out, `sbom-${architecture.name}.cdx.json`),
      `${JSON.stringify(bom(version, components), null, 2)}\n`,
    );
    return buildah.commit(architecture, [
      { what: 'libraries of Debian', folder: base, writable },
      { what: 'Node', folder: node },
      { what: 'Plinth', folder: app },
    ]);
  });
  buildah.push(images, join(out, 'oci'));
} finally {
  rmSync(work, { recursive: true, force: true });
}

const { digest, images } = readLayout(join(out, 'oci'));
console.log(`plinth ${version}  ${digest}`);
for (const { architecture, compressedBytes } of images)
  console.log(`  ${architecture}  ${(compressedBytes / 1e6).toFixed(1)} MB compressed`);
