import cluster, { type Worker } from 'node:cluster';
import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../platform/config/config.ts';
import { MemoryCounter } from '../platform/counters/memory-counter.ts';
import { countFor } from '../platform/counters/process-counter.ts';
import { createLog } from '../platform/log.ts';
import { serve } from './serve.ts';
import { UsageError } from './usage.ts';

const mostWorkers = 64;
const restartAfterMs = 500;

/** Runs a node: in this process, or in several that share its port. */
export async function runStart(environment: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  const workers = readWorkers(args);
  const config = parseConfig(environment);
  if (workers === 1 || cluster.isWorker) await serve(withOwnPort(config, environment));
  else superviseWorkers(config, workers);
}

/** Which of the processes this is, from 0 on. */
const placeVariable = 'PLINTH_WORKER';

/** Processes share the port of the service; what operators see is of one process, and has a port for each. */
function withOwnPort(config: Config, environment: NodeJS.ProcessEnv): Config {
  const { ADMIN_PORT: first } = config;
  if (!first) return config;
  return { ...config, ADMIN_PORT: first + Number(environment[placeVariable] ?? 0) };
}

function readWorkers(args: string[]): number {
  const { workers } = readOptions(args);
  const count = Number(workers);
  if (!Number.isInteger(count) || count < 1 || count > mostWorkers)
    throw new UsageError(`--workers takes a number from 1 to ${mostWorkers}, not "${workers}".`);
  return count;
}

function readOptions(args: string[]): { workers: string } {
  try {
    return parseArgs({ args, options: { workers: { type: 'string', default: '1' } } }).values;
  } catch {
    throw new UsageError(
      'plinth start takes one option, --workers <n>: all else is configured by environment variables.',
    );
  }
}

/** Starts the processes, restarts those that die, and ends when all of them were told to stop and have ended. */
function superviseWorkers(config: Config, count: number): void {
  const log = createLog(config.LOG_LEVEL);
  const counter = new MemoryCounter();
  /** Each in its place. */
  const workers = new Map<Worker, number>();
  let hasServed = false;
  let isStopping = false;
  let exitCode = 0;
  const start = (place: number) => {
    const worker = cluster.fork({ [placeVariable]: String(place) });
    workers.set(worker, place);
    countFor(worker, counter);
  };
  const stop = () => {
    isStopping = true;
    for (const worker of workers.keys()) worker.process.kill('SIGTERM');
    if (workers.size === 0) process.exit(exitCode);
  };
  cluster.on('listening', () => {
    hasServed = true;
  });
  cluster.on('exit', (worker, code, signal) => {
    const place = workers.get(worker) ?? 0;
    workers.delete(worker);
    if (!isStopping) {
      log.error({ pid: worker.process.pid, code, signal }, 'a process of this node has ended');
      if (hasServed) {
        setTimeout(() => isStopping || start(place), restartAfterMs);
        return;
      }
      // Whatever kept the first from starting keeps the others from it too.
      stop();
    }
    // A process that was killed while it was still starting had nothing to finish.
    if (code !== 0 && !(isStopping && signal === 'SIGTERM')) exitCode = 1;
    if (workers.size === 0) process.exit(exitCode);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  for (let n = 0; n < count; n += 1) start(n);
}
