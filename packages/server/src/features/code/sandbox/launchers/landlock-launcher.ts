import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { denoArguments, denoEnvironment, withResourceLimits } from './deno-arguments.ts';
import type { Launcher, Programs } from './launcher.ts';
import type { OwnUsers } from './own-users.ts';
import { seccompFilter } from './seccomp-filter.ts';

/**
 * For containers, where there are no further namespaces to be had: the kernel's Landlock closes the file system but for
 * libraries, Deno and the code, and a filter closes the network, other processes and their signals. Needs `setpriv` of
 * util-linux 2.41 and Linux 5.13.
 */
export function landlockLauncher(
  programs: Programs,
  { base, users }: { base: string; users: OwnUsers },
): Launcher {
  const { deno, runner } = programs;
  const filterFile = join(base, 'seccomp-signals.bpf');
  writeFileSync(filterFile, seccompFilter({ refusesSignals: true }));
  return {
    name: 'landlock',
    launch(folder, limits) {
      const run = join(folder, 'run');
      const code = join(folder, 'fn');
      const paths = { runSocket: join(run, 'r.sock'), hostSocket: join(run, 'h.sock'), code, runner };
      const user = users.next();
      if (user !== undefined) chownSync(run, user, user);
      const rules = [
        `execute,read-file,read-dir:/usr/lib`,
        `execute,read-file:${deno}`,
        `read-file:${runner}`,
        `read-file,read-dir:${code}`,
        `make-sock,read-file,write-file,remove-file:${run}`,
        `read-file,write-file:/dev`,
      ].flatMap((rule) => ['--landlock-rule', `path-beneath:${rule}`]);
      const walls = [
        'setpriv',
        '--pdeathsig',
        'KILL',
        '--no-new-privs',
        '--landlock-access',
        'fs',
        ...rules,
        '--seccomp-filter',
        filterFile,
      ];
      const command = withResourceLimits(limits, [...walls, deno, ...denoArguments(paths, limits, programs)]);
      const [program = '', ...given] = users.as(user, command);
      const child = spawn(program, given, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...denoEnvironment,
          ...(process.env.PATH && { PATH: process.env.PATH }),
        },
        cwd: '/',
      });
      return { child, pid: () => child.pid };
    },
  };
}
