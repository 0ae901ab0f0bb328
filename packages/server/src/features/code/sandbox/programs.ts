import { chmodSync, copyFileSync, existsSync, linkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Programs } from './launchers/launcher.ts';

/** Deno and the runner, or why one of them is not there. */
export function findPrograms(): Programs | string {
  const deno = findDeno();
  if (deno === undefined)
    return `Functions need Deno, which is not available for this machine (${process.platform}, ${process.arch}), or was omitted when Plinth was installed (npm install --omit=optional).`;
  const runner = findRunner();
  return runner === undefined
    ? 'The runner of functions was not built: run "npm run build".'
    : { deno, runner };
}

/** The program itself, so that no install script has to put it in its place. */
function findDeno(): string | undefined {
  const libc = process.platform === 'linux' ? '-glibc' : '';
  const name = `@deno/${process.platform}-${process.arch}${libc}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, process.platform === 'win32' ? 'deno.exe' : 'deno');
  } catch {
    return undefined;
  }
}

function findRunner(): string | undefined {
  const path = fileURLToPath(import.meta.resolve('@plinth/runtime/runner'));
  return existsSync(path) ? path : undefined;
}

/**
 * Where every user can read them. A service that runs as root starts its processes as others, who cannot look into the
 * folders that it was installed in.
 */
export function placePrograms({ deno, runner }: Programs, base: string): Programs {
  if (process.getuid?.() !== 0) return { deno, runner };
  const placed = { deno: join(base, 'deno'), runner: join(base, 'runner.js') };
  try {
    linkSync(deno, placed.deno);
  } catch {
    copyFileSync(deno, placed.deno);
    chmodSync(placed.deno, 0o755);
  }
  copyFileSync(runner, placed.runner);
  return placed;
}
