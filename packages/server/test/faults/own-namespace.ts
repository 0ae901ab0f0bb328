import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a run may put on its disk, which is in memory. */
const diskSize = '4g';
const insideName = 'PLINTH_FAULTS_FOLDER';

/** Somebody has to collect what ends without a parent: Patroni waits until a PostgreSQL that it stopped is gone. */
const asInit = ['bash', '-c', '"$@" & wait $!', 'init'];

/**
 * Runs the program again in namespaces of its own. Whatever it starts, mounts and connects is gone with it, however it
 * ends. Resolves inside only, with a folder for everything.
 */
export async function enterOwnNamespace(): Promise<string> {
  const inside = process.env[insideName];
  if (inside !== undefined) return furnish(inside);
  if (process.getuid?.() !== 0) throw new Error('Hosts that fail are network namespaces: run this as root.');
  const folder = await mkdtemp(join(tmpdir(), 'plinth-faults-'));
  const unshare = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', [...unshare, ...asInit, ...again], {
    stdio: 'inherit',
    env: { ...process.env, [insideName]: folder, TMPDIR: folder },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill('SIGKILL'));
  const code = await new Promise<number>((ended) => child.once('exit', (status) => ended(status ?? 1)));
  await rm(folder, { recursive: true, force: true });
  process.exit(code);
}

function furnish(folder: string): string {
  const mount = (where: string, options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'faults', where]);
  mount(folder, `size=${diskSize},mode=755`);
  execFileSync('mkdir', ['-p', '/run/netns']);
  mount('/run/netns', 'size=1m');
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  return folder;
}
