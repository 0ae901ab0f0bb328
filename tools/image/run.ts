import { execFileSync } from 'node:child_process';

const wanted = 'mmdebstrap buildah binutils binutils-aarch64-linux-gnu binutils-x86-64-linux-gnu';

interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program and gives what it printed, without the last line break. */
export function run(program: string, args: readonly string[], { cwd, env }: Options = {}): string {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
    }).trimEnd();
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT')
      throw new Error(`${program} is not installed. Debian: apt-get install ${wanted}`, { cause: error });
    throw new Error(`${program} ${args.join(' ')}\n${stderr}`, { cause: error });
  }
}
