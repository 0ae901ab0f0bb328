import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePrepared } from '../features/control/projects/index.ts';
import type { Config } from '../platform/config/config.ts';
import { answerParent } from '../platform/http/admin-of-workers.ts';
import { AdminServer } from '../platform/http/admin-server.ts';
import { ownSource } from '../platform/http/admin-source.ts';
import { closing } from '../platform/http/close-server.ts';
import type { HttpServer } from '../platform/http/server.ts';
import { JobMetrics } from '../platform/jobs/job-metrics.ts';
import { JobRunner } from '../platform/jobs/job-runner.ts';
import { addProcessMetrics } from '../platform/metrics/process-metrics.ts';
import type { Registry } from '../platform/metrics/registry.ts';
import { openTracing } from '../platform/tracing/open-tracing.ts';
import { version } from '../version.ts';
import { Addresses } from './addresses.ts';
import type { DevOptions } from './dev-options.ts';
import { openEngines } from './engines.ts';
import { createFeatures } from './features.ts';
import { addEverything, createHttp } from './http.ts';

/** One process of the service. */
export interface Node {
  readonly http: HttpServer;
  /** Where operators ask, once the node has started, if they have a port. */
  readonly adminUrl: string | undefined;
  /** What operators watch. */
  readonly metrics: Registry;
  /** Starts to serve; returns the address. */
  start(): Promise<string>;
  /** True once the node has heard of everything that others have committed so far; false if it cannot hear. */
  caughtUp(): Promise<boolean>;
  /** Finishes what was accepted, then releases everything. */
  stop(): Promise<void>;
}

/** Puts a node together. Nothing connects before `start`. */
export async function createNode(config: Config, dev?: DevOptions): Promise<Node> {
  let isDraining = false;
  let stopped: Promise<void> | undefined;
  const http = createHttp(config);
  const closeServer = closing(http);
  const addresses = new Addresses(config, dev);
  const engines = await openEngines(config, http.log);
  const features = createFeatures(config, engines, { addresses, dev, log: http.log });
  const jobs = new JobRunner(
    {
      cells: engines.cells.servers,
      concurrency: config.JOB_CONCURRENCY,
      tasks: features.tasks,
      leaseOf: (cell) => engines.leaseOf('jobs', cell),
      metrics: new JobMetrics(engines.metrics, engines.cells),
      databaseMetrics: engines.databaseMetrics,
    },
    http.log,
  );
  const tracing = await openTracing(config, {
    metrics: engines.metrics,
    outbound: engines.ownOutbound,
    version,
    log: http.log,
  });
  const health = await addEverything(http, config, {
    engines,
    features,
    addresses,
    dev,
    tracing,
    isDraining: () => isDraining,
  });

  const source = ownSource(engines.metrics, health);
  const stopMeasuring = addProcessMetrics(engines.metrics, { version, isDraining: () => isDraining });
  const admin = new AdminServer(source, http.log);
  let adminUrl: string | undefined;

  const { calls, data, people, code, events, gateway, survey, housekeeping, keyUses } = features;
  async function stop(): Promise<void> {
    isDraining = true;
    await sleep(config.SHUTDOWN_DELAY_MS);
    await survey.stop();
    await gateway.close();
    // What functions are doing may still call the service.
    await code.stopBeginning();
    await events.stop();
    await closeServer();
    await code.stop();
    await calls.stop();
    await engines.realtime.stop();
    data.breakOff();
    await jobs.stop();
    await housekeeping.stop();
    await keyUses.stop();
    await people.stop();
    await data.stop();
    await tracing.stop();
    await engines.stop();
    stopMeasuring();
    admin.close();
  }

  return {
    http,
    metrics: engines.metrics,
    get adminUrl() {
      return adminUrl;
    },
    async start() {
      await engines.start();
      await requirePrepared(engines.control);
      housekeeping.start();
      keyUses.start();
      data.start();
      calls.start();
      code.start();
      const { ADMIN_HOST, ADMIN_PORT } = config;
      // Of a process among several, the one that started it tells operators.
      if (cluster.isWorker) answerParent(source, http.log);
      else if (ADMIN_PORT !== undefined) adminUrl = await admin.listen(ADMIN_HOST, ADMIN_PORT);
      const address = await http.listen({ host: config.HOST, port: config.PORT });
      addresses.listensAt(address);
      jobs.start();
      events.start();
      engines.realtime.start();
      gateway.start();
      survey.start();
      return address;
    },
    caughtUp: () => engines.caughtUp(),
    stop: () => (stopped ??= stop()),
  };
}
