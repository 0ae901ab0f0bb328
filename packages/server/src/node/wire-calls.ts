import type { FinishedCall, Project, Tiers } from '../calls/index.ts';
import { RequestLog, RequestTail } from '../features/control/requests/index.ts';
import { UsageMeter } from '../features/control/usage/index.ts';
import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/log.ts';
import type { Engines } from './engines.ts';

interface CallsNeeds {
  readonly findProject: (ref: string) => NowOrLater<Project | undefined>;
  readonly isDev: boolean;
  readonly log: Log;
}

/** Puts together what notes finished calls: the request log, and usage. */
export function wireCalls(
  config: Config,
  { cells, cellSizes, realtime, metrics }: Engines,
  { findProject, isDev, log }: CallsNeeds,
) {
  const tail = new RequestTail(realtime.bus, log);
  const requests = new RequestLog({
    cells,
    tail,
    findProject,
    isFull: (cell) => cellSizes.isFull(cell),
    days: config.REQUEST_LOG_DAYS,
    keepsValues: isDev,
    log,
  });
  const usage = new UsageMeter({ cells, findProject, log });
  requests.addMetrics(metrics);
  usage.addMetrics(metrics);
  return {
    tail,
    note(call: FinishedCall): void {
      usage.note(call);
      requests.note(call);
    },
    start(): void {
      requests.start();
      usage.start();
    },
    async stop(): Promise<void> {
      await Promise.all([requests.stop(), usage.stop()]);
    },
  };
}

/** How long the log is kept for those whose tier keeps it longest. */
export function requestLogDays(config: Pick<Config, 'REQUEST_LOG_DAYS'>, tiers: Tiers): number {
  const days = Object.values(tiers).map((tier) => tier.requestLogDays);
  return Math.min(config.REQUEST_LOG_DAYS, Math.max(...days));
}
