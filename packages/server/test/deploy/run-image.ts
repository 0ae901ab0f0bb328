// npm run test:image: builds the image twice, which must give the same digest, and runs the tests of image.test.ts with it.
// Needs root, and what docs/deploy.md names for building, with podman and crun to run it.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLayout } from '../../../../tools/image/layout.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
// podman names an image after its folder, in lower case only.
const folder = join(tmpdir(), `plinth-test-image-${randomUUID()}`);
mkdirSync(folder);
const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execFileSync(program, args, { cwd: repository, stdio: 'inherit', env: { ...process.env, ...env } });

try {
  const [first, second] = ['first', 'second'].map((name) => {
    const out = join(folder, name);
    run(process.execPath, ['tools/image/build.ts', '--out', out]);
    return out;
  }) as [string, string];
  const [one, other] = [first, second].map((out) => readLayout(join(out, 'oci')).digest);
  if (one !== other) throw new Error(`Two builds gave two images: ${one} and ${other}`);
  console.log('The same digest twice.');
  run('vitest', ['run', '--project', 'server', 'test/deploy/image'], { PLINTH_TEST_IMAGE: first });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
