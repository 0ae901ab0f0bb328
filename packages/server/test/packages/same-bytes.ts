// npm run test:packages: makes a release of what is here twice, and compares its bytes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTree } from '../../../../tools/release/copy-tree.ts';
import { repository } from '../support/markdown.ts';

const version = '99.0.0';
const folder = mkdtempSync(join(tmpdir(), 'plinth-first-minute-'));
const source = join(folder, 'source');

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  console.log(`> ${command} ${args.join(' ')}`);
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function requireThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Not so: ${what}.`);
  console.log(`ok: ${what}`);
}

/** The checksums of a release of the commit. */
function release(out: string): string {
  run('node', ['tools/release/release.ts', version, '--out', out], source);
  run('git', ['checkout', '--quiet', '.'], source);
  return readFileSync(join(out, 'SHA256SUMS'), 'utf8');
}

try {
  mkdirSync(source);
  copyTree(repository, source);
  run('git', ['init', '--quiet'], source);
  run('git', ['add', '--all'], source);
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'All'], source);
  const first = release(join(folder, 'first'));
  requireThat(first === release(join(folder, 'second')), 'two releases of one commit have the same bytes');
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
