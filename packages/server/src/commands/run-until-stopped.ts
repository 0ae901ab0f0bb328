import type { Log } from '../platform/log.ts';

const shutdownLimitMs = 30_000;

/** Ends this process when it is told to stop, after what was accepted is finished, within 30 s. */
export function runUntilStopped(log: Log, finish: () => Promise<void>): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'shutting down');
    setTimeout(() => {
      log.error('not everything stopped within 30 s');
      process.exit(1);
    }, shutdownLimitMs).unref();
    finish().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutting down failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
