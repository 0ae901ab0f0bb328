import { readdir, readFile, readlink } from 'node:fs/promises';

/** What a call costs those who answer it, in microseconds of a core. */
export interface Cost {
  readonly service: number;
  readonly database: number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly folder: string;
  readonly cpuMicroseconds: number;
}

/** Linux counts in hundredths of a second. */
const tickMicroseconds = 10_000;

/** The CPU that a service with its processes, and the PostgreSQL of a folder, take for what is done meanwhile. */
export async function watchCpu(service: number, databaseFolder: string) {
  const before = new Map((await listProcesses()).map(({ pid, cpuMicroseconds }) => [pid, cpuMicroseconds]));
  return async (calls: number): Promise<Cost> => {
    const all = await listProcesses();
    const inFolder = all.filter(
      ({ command, folder }) =>
        command.includes('postgres') &&
        (command.includes(databaseFolder) || folder.startsWith(databaseFolder)),
    );
    // Not the first of them: numbers of processes begin anew after the highest.
    const main = inFolder.find(({ parent }) => !inFolder.some(({ pid }) => pid === parent));
    // Of processes that have ended meanwhile nothing is known; few do.
    const spent = (isMeant: (process: Process) => boolean) =>
      all
        .filter(isMeant)
        .reduce((sum, { pid, cpuMicroseconds }) => sum + cpuMicroseconds - (before.get(pid) ?? 0), 0);
    return {
      service: spent(({ pid, parent }) => pid === service || parent === service) / calls,
      database: spent(({ parent }) => parent === main?.pid) / calls,
    };
  };
}

/** The CPU that one process has taken so far. */
export async function cpuMicrosecondsOf(pid: number): Promise<number> {
  return (await readProcess(pid)).cpuMicroseconds;
}

async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const read = await Promise.all(pids.map((pid) => readProcess(pid).catch(() => undefined)));
  return read.filter((process) => process !== undefined);
}

async function readProcess(pid: number): Promise<Process> {
  const [stat, command, folder] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readlink(`/proc/${pid}/cwd`),
  ]);
  // The name in brackets may hold anything; what follows it is numbers: state, parent, …, user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { pid, parent: Number(fields[1]), command, folder, cpuMicroseconds: ticks * tickMicroseconds };
}
