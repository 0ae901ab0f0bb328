import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { denoArguments, denoEnvironment, withResourceLimits } from './deno-arguments.ts';
import type { Launcher, Programs } from './launcher.ts';

/** Deno's own permissions and nothing else: for code that one has written oneself. */
export function processLauncher(programs: Programs): Launcher {
  const { deno, runner } = programs;
  return {
    name: 'process',
    launch(folder, limits) {
      const paths = {
        runSocket: join(folder, 'run/r.sock'),
        hostSocket: join(folder, 'run/h.sock'),
        code: join(folder, 'fn'),
        runner,
      };
      const command = [deno, ...denoArguments(paths, limits, programs)];
      // On Linux it ends with the service, whatever ends that.
      const [program = deno, ...given] =
        process.platform === 'linux'
          ? ['setpriv', '--pdeathsig', 'KILL', ...withResourceLimits(limits, command)]
          : command;
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
