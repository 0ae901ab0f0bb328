import { execFileSync } from 'node:child_process';
import { ownPackages } from './own-packages.ts';

/** Builds everything from nothing. */
export function build(repository: string): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
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
