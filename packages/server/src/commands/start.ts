import cluster, { type Worker } from 'node:cluster';
import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../platform/config/config.ts';
import { MemoryCounter } from '../platform/counters/memory-counter.ts';
import { countFor } from '../platform/counters/process-counter.ts';
import { AdminOfWorkers } from '../platform/http/admin-of-workers.ts';
import { AdminServer } from '../platform/http/admin-server.ts';
import { createLog } from '../platform/log.ts';
import { serve } from './serve.ts';
import { UsageError } from './usage.ts';

const mostWorkers = 64;
const restartAfterMs = 500;

/** Runs a node: in this process, or in several that share its port. */
export async function runStart(environment: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  const workers = readWorkers(args);
  const config = parseConfig(environment);
  if (workers === 1 || cluster.isWorker) await serve(config);
  else await superviseWorkers(config, workers);
}

function readWorkers(args: string[]): number {
  const { workers } = readOptions(args);
  const count = Number(workers);
  if (!Number.isInteger(count) || count < 1 || count > mostWorkers)
    throw new UsageError(`--workers must be a number from 1 to ${mostWorkers}, not "${workers}".`);
  return count;
}

function readOptions(args: string[]): { workers: string } {
  try {
    return parseArgs({ args, options: { workers: { type: 'string', default: '1' } } }).values;
  } catch {
    throw new UsageError(
      'plinth start has only one option, --workers <n>: everything else is configured by environment variables.',
    );
  }
}

/** Starts the processes, restarts those that die, and ends when all of them were told to stop and have ended. */
async function superviseWorkers(config: Config, count: number): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const counter = new MemoryCounter();
  /** Each in its place. */
  const workers = new Map<Worker, number>();
  const source = new AdminOfWorkers(workers, log);
  const admin = new AdminServer(source, log);
  let hasServed = false;
  let isStopping = false;
  let exitCode = 0;
  const start = (place: number) => {
    const worker = cluster.fork();
    workers.set(worker, place);
    countFor(worker, counter);
    source.hear(worker);
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
      log.error({ pid: worker.process.pid, code, signal }, 'a process of this node has exited');
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
  // Of all processes together: each of them has only a part of the calls.
  if (config.ADMIN_PORT !== undefined) await admin.listen(config.ADMIN_HOST, config.ADMIN_PORT);
  for (let n = 0; n < count; n += 1) start(n);
}
