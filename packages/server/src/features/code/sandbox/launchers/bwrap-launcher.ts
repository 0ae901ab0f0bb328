import { spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guarded } from '../../../../platform/guarded.ts';
import { denoArguments, denoEnvironment, withResourceLimits } from './deno-arguments.ts';
import type { Launcher, Programs } from './launcher.ts';
import type { OwnUsers } from './own-users.ts';
import { seccompFilter } from './seccomp-filter.ts';

const inside = { runSocket: '/run/r.sock', hostSocket: '/run/h.sock', code: '/fn', runner: '/runner.js' };
const libraries = ['/lib', '/lib64', '/usr/lib'];

/**
 * Namespaces of its own, no network, and nothing on disk but libraries, Deno, the runner and the code. Behind them a
 * filter of system calls.
 */
export function bwrapLauncher(
  programs: Programs,
  { base, users, hasProc = true }: { base: string; users: OwnUsers; hasProc?: boolean },
): Launcher {
  const { deno, runner } = programs;
  const filterFile = join(base, 'seccomp.bpf');
  writeFileSync(filterFile, seccompFilter());
  const binds = libraries.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  return {
    name: 'bwrap',
    launch(folder, limits) {
      const walls = [
        '--unshare-all',
        '--die-with-parent',
        '--new-session',
        '--as-pid-1',
        '--cap-drop',
        'ALL',
        '--uid',
        '65534',
        '--gid',
        '65534',
        '--hostname',
        'fn',
        '--clearenv',
        ...Object.entries(denoEnvironment).flatMap((pair) => ['--setenv', ...pair]),
        ...binds,
        '--ro-bind',
        deno,
        '/deno',
        '--ro-bind',
        runner,
        inside.runner,
        '--ro-bind',
        join(folder, 'fn'),
        inside.code,
        '--bind',
        join(folder, 'run'),
        '/run',
        '--dev',
        '/dev',
        // It has a folder for shared memory, as large as half of the machine's.
        '--remount-ro',
        '/dev',
        ...(hasProc ? ['--proc', '/proc'] : []),
        '--remount-ro',
        '/',
        '--chdir',
        '/',
        '--info-fd',
        '3',
        '--seccomp',
        '4',
      ];
      const command = ['bwrap', ...walls, '/deno', ...denoArguments(inside, limits, programs)];
      const user = users.next();
      if (user !== undefined) chownSync(join(folder, 'run'), user, user);
      const [program = '', ...given] = users.as(user, withResourceLimits(limits, command));
      const filter = openSync(filterFile, 'r');
      const child = spawn(program, given, {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe', filter],
        env: { ...(process.env.PATH && { PATH: process.env.PATH }) },
        cwd: '/',
      });
      closeSync(filter);
      let told = '';
      let inner: number | undefined;
      child.stdio[3]?.on(
        'data',
        guarded(
          () => {},
          (chunk: Buffer) => {
            told += chunk.toString('latin1');
            const pid = /"child-pid":\s*(\d+)/.exec(told)?.[1];
            if (pid !== undefined) inner = Number(pid);
          },
        ),
      );
      return { child, pid: () => inner };
    },
  };
}
