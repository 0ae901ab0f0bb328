import { spawn } from 'node:child_process';
import { chownSync, copyFileSync, cpSync, existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { denoArguments, denoEnvironment } from './deno-arguments.ts';
import type { Launcher, Programs } from './launcher.ts';

const inside = { runSocket: '/run/r.sock', hostSocket: '/run/h.sock', code: '/fn', runner: '/runner.js' };
const nobody = 65_534;
/** What Deno is linked with. */
const libraries = ['/lib', '/lib64', '/usr/lib'];

/** A kernel of its own for each process, in user space: for the code of strangers. Needs root and gVisor's `runsc`. */
export function gvisorLauncher(programs: Programs, { base }: { base: string }): Launcher {
  const root = join(base, 'root');
  const state = join(base, 'runsc');
  makeRoot(root, programs);
  mkdirSync(state, { recursive: true });
  const runsc = (...given: string[]) => ['--root', state, '--ignore-cgroups', ...given];
  return {
    name: 'gvisor',
    launch(folder, limits) {
      const id = `fn-${basename(folder)}`;
      chownSync(join(folder, 'run'), nobody, nobody);
      writeFileSync(
        join(folder, 'config.json'),
        JSON.stringify(containerOf(folder, root, denoArguments(inside, limits, programs))),
      );
      const walls = ['--network=none', '--host-uds=all', '--platform=systrap'];
      const child = spawn('runsc', runsc(...walls, 'run', '-bundle', folder, id), {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return {
        child,
        pid: () => child.pid,
        destroy() {
          spawn('runsc', runsc('delete', '-force', id), { stdio: 'ignore' }).on('error', () => {});
        },
      };
    },
  };
}

/** Libraries, Deno and the runner; no shell. */
function makeRoot(root: string, { deno, runner }: Programs): void {
  for (const folder of ['proc', 'run', 'fn']) mkdirSync(join(root, folder), { recursive: true });
  place(deno, join(root, 'deno'));
  cpSync(runner, join(root, 'runner.js'));
  for (const path of libraries.filter((path) => existsSync(path)))
    mkdirSync(join(root, path), { recursive: true });
}

function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** The description of a container: https://github.com/opencontainers/runtime-spec */
function containerOf(folder: string, root: string, given: readonly string[]) {
  const bind = (source: string, destination: string, mode: 'ro' | 'rw') => ({
    destination,
    type: 'bind',
    source,
    options: [mode, 'bind'],
  });
  return {
    ociVersion: '1.0.2',
    hostname: 'fn',
    root: { path: root, readonly: true },
    process: {
      user: { uid: nobody, gid: nobody },
      cwd: '/',
      noNewPrivileges: true,
      capabilities: {},
      args: ['/deno', ...given],
      env: Object.entries(denoEnvironment).map((pair) => pair.join('=')),
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      bind(join(folder, 'run'), '/run', 'rw'),
      bind(join(folder, 'fn'), '/fn', 'ro'),
      ...libraries.filter((path) => existsSync(path)).map((path) => bind(path, path, 'ro')),
    ],
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts', 'network'].map((type) => ({ type })) },
  };
}
