import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As strict as an orchestrator can be. */
const strict = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--network=host',
  // For machines that are containers themselves.
  '--cgroups=disabled',
  '--ulimit=nofile=20000:20000',
  '--ulimit=nproc=4096:4096',
];

// The unified hierarchy beside the old one confuses podman; without it, it looks no further.
const script = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman "$@"';

/** Runs an image of a folder in the layout of OCI by podman, in a store of its own. */
export class Podman implements AsyncDisposable {
  readonly #folder: string;
  readonly #image: string;

  private constructor(folder: string, layout: string) {
    this.#folder = folder;
    this.#image = this.#podman('pull', '--quiet', `oci:${layout}`);
  }

  static async open(layout: string): Promise<Podman> {
    return new Podman(await mkdtemp(join(tmpdir(), 'plinth-podman-')), layout);
  }

  #words(args: readonly string[]): string[] {
    const store = ['--root', join(this.#folder, 'store'), '--runroot', join(this.#folder, 'run')];
    const own = [...store, '--storage-driver=vfs', '--runtime=crun', '--log-level=error'];
    return ['--mount', 'sh', '-c', script, 'sh', ...own, ...args];
  }

  #podman(...args: string[]): string {
    return execFileSync('unshare', this.#words(args), { encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  /** Runs a command of the service to its end, and gives what it printed. */
  command(args: readonly string[], options: readonly string[]): string {
    return this.#podman('run', '--rm', ...strict, ...options, this.#image, ...args);
  }

  /** Starts a node, and waits until it listens. */
  async start(name: string, options: readonly string[]): Promise<Container> {
    const words = this.#words(['run', '--rm', '--name', name, ...strict, ...options, this.#image]);
    const child = spawn('unshare', words, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    await new Promise<void>((listening, fail) => {
      child.stderr.on('data', (piece: Buffer) => {
        said += String(piece);
        if (said.includes('Server listening at')) listening();
      });
      child.once('exit', () => fail(new Error(`It ended:\n${said}`)));
    });
    const pid = Number(this.#podman('inspect', '--format={{.State.Pid}}', name));
    return new Container(child, pid, (...args) => this.#podman('exec', name, ...args));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#podman('rm', '--all', '--force', '--time=0');
    this.#podman('rmi', '--all', '--force');
    await rm(this.#folder, { recursive: true, force: true });
  }
}

class Container {
  readonly #child: ChildProcess;
  readonly #pid: number;
  /** Runs a program inside. */
  readonly exec: (...args: string[]) => string;

  constructor(child: ChildProcess, pid: number, exec: (...args: string[]) => string) {
    this.#child = child;
    this.#pid = pid;
    this.exec = exec;
  }

  /** What the kernel says of its first process: `Uid`, `CapEff` and others. */
  status(field: string): string {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  }

  /** As an orchestrator does. Gives the exit code. */
  async stop(): Promise<number> {
    const ended = once(this.#child, 'exit');
    process.kill(this.#pid, 'SIGTERM');
    const [code] = (await ended) as [number];
    return code;
  }
}
