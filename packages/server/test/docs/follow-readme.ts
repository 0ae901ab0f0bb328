// npm run test:readme: packs what would be published, installs it in an empty folder, and follows the README with it, as whoever
// runs this and, for root, as an ordinary user as well. Needs a package registry.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTree } from '../../../../tools/release/copy-tree.ts';
import { build, packAll } from '../../../../tools/release/packages.ts';
import { repository } from '../support/markdown.ts';

/** Nobody in particular. */
const ordinaryUser = '65534';

const folder = mkdtempSync(join(tmpdir(), 'plinth-installed-'));
const [source, packed, empty, bin] = ['source', 'packed', 'empty', 'bin'].map((name) =>
  join(folder, name),
) as [string, string, string, string];

function run(
  command: string,
  args: readonly string[],
  more: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): void {
  console.log(`> ${command} ${args.join(' ')}`);
  execFileSync(command, args, { stdio: 'inherit', ...more });
}

try {
  for (const one of [source, packed, empty, bin]) mkdirSync(one);
  for (const one of [folder, empty, bin]) chmodSync(one, 0o755);
  // Where every user can run it.
  cpSync(process.execPath, join(bin, 'node'));
  copyTree(repository, source);
  build(source);
  const archives = packAll(source, packed).map(({ filename }) => join(packed, filename));
  run('npm', ['init', '--yes', '--silent'], { cwd: empty });
  run('npm', ['install', '--no-audit', '--no-fund', ...archives], { cwd: empty });
  const readers = process.getuid?.() === 0 ? [undefined, ordinaryUser] : [undefined];
  for (const reader of readers) {
    const env = {
      ...process.env,
      PLINTH_TEST_INSTALLED: empty,
      PLINTH_TEST_NODE: bin,
      ...(reader !== undefined && { PLINTH_TEST_READER: reader }),
    };
    run('vitest', ['run', '--project', 'server', 'test/docs/readme'], { env });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
