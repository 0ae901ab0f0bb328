import { execFileSync, spawnSync } from 'node:child_process';
import { ownPackages } from './own-packages.ts';
import { ReleaseError } from './release-error.ts';

/** Builds everything from nothing, whatever the environment says it is for. */
export function build(repository: string): void {
  for (const script of ['build', 'site']) runScript(repository, script);
}

function runScript(repository: string, script: string): void {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], {
    cwd: repository,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new ReleaseError(`The build failed:\n${stdout}${stderr}`);
}

export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  /** As npm writes it: sha512-… */
  readonly integrity: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** What would be published, as files in a folder. It was built already. */
export function packAll(repository: string, out: string): Packed[] {
  const wanted = ownPackages.flatMap(({ folder }) => ['--workspace', folder]);
  const printed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', out, ...wanted],
    { cwd: repository, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return JSON.parse(printed) as Packed[];
}
