import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';

/** Where the run itself is, with the nodes and the proxy. */
export const ownAddress = '10.87.0.1';

export const addressOf = (host: number): string => `10.87.0.1${host}`;

/** Runs a program of the machine to its end. */
export function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const namespaceOf = (host: number): string => `host${host}`;
const cableOf = (host: number): string => `cable${host}`;

/** Hosts that are network namespaces, each with a cable to one switch. All are gone with the namespace of the run. */
export class Hosts implements Disposable {
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
    run('ip', 'link', 'add', 'switch', 'type', 'bridge');
    run('ip', 'addr', 'add', `${ownAddress}/24`, 'dev', 'switch');
    run('ip', 'link', 'set', 'switch', 'up');
    for (let host = 1; host <= count; host += 1) plug(host);
  }

  start(host: number, program: string, args: readonly string[], options: SpawnOptions) {
    return spawn('ip', ['netns', 'exec', namespaceOf(host), program, ...args], options);
  }

  /** Every process of it ends at once. */
  kill(host: number): void {
    for (const pid of this.#pids(host)) signal(pid, 'SIGKILL');
  }

  /** The host goes on working, and nobody hears of it; nor are its connections closed. */
  unplug(host: number): void {
    run('ip', 'link', 'set', cableOf(host), 'down');
  }

  plugIn(host: number): void {
    run('ip', 'link', 'set', cableOf(host), 'up');
  }

  [Symbol.dispose](): void {
    for (let host = 1; host <= this.#count; host += 1) {
      // A namespace, and the cable into it, last as long as anything in it.
      run('ip', 'link', 'delete', cableOf(host));
      run('ip', 'netns', 'delete', namespaceOf(host));
    }
    run('ip', 'link', 'delete', 'switch');
  }

  #pids(host: number): number[] {
    const pids = run('ip', 'netns', 'pids', namespaceOf(host)).trim();
    return pids === '' ? [] : pids.split(/\s+/).map(Number);
  }
}

function plug(host: number): void {
  const [namespace, cable] = [namespaceOf(host), cableOf(host)];
  run('ip', 'netns', 'add', namespace);
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  run('ip', 'link', 'set', cable, 'master', 'switch', 'up');
  run('ip', '-n', namespace, 'addr', 'add', `${addressOf(host)}/24`, 'dev', 'eth0');
  run('ip', '-n', namespace, 'link', 'set', 'eth0', 'up');
  run('ip', '-n', namespace, 'link', 'set', 'lo', 'up');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
