import type { Project, ProjectRoutes } from '../calls/index.ts';
import {
  addBackgroundRoutes,
  addTaskRoutes,
  functionHandler,
  functionKind,
  subscribeFunctions,
} from '../features/code/background/index.ts';
import { addFunctionRoutes, CodeDirectory, FunctionRuns, RunLog } from '../features/code/functions/index.ts';
import { FunctionGuards } from '../features/code/guards/index.ts';
import {
  type CodeRunner,
  Egress,
  RemoteSandbox,
  Sandbox,
  ServiceCalls,
} from '../features/code/sandbox/index.ts';
import {
  addScheduleRoutes,
  DueRuns,
  ScheduleTimes,
  saveSchedules,
} from '../features/code/schedules/index.ts';
import { ProjectEnvironments } from '../features/control/projects/index.ts';
import type { Deliveries, Subscribers } from '../features/deliveries/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/log.ts';
import type { Addresses } from './addresses.ts';
import type { DevOptions } from './dev-options.ts';
import type { Engines } from './engines.ts';
import { sandboxOptions } from './sandbox-options.ts';

interface CodeNeeds {
  readonly findProject: (id: string) => Promise<Project | undefined>;
  readonly deliveries: Deliveries;
  readonly subscribers: Subscribers;
  readonly addresses: Addresses;
  readonly dev: DevOptions | undefined;
  readonly log: Log;
}

/** Puts the code wing together: the sandbox, and what runs in it. */
export function wireCode(
  config: Config,
  { cells, listeners, lookups, vault, controlListener, leaseOf, metrics }: Engines,
  { findProject, deliveries, subscribers, addresses, dev, log }: CodeNeeds,
) {
  const egress = new Egress({ allowed: config.FUNCTIONS_EGRESS_ALLOW });
  const service = new ServiceCalls(() => addresses.loopback);
  const runner: CodeRunner =
    config.FUNCTIONS_SANDBOX === 'remote'
      ? new RemoteSandbox({
          urls: config.FUNCTIONS_POOL_URLS,
          secret: config.FUNCTIONS_POOL_SECRET ?? '',
          service,
        })
      : new Sandbox({ ...sandboxOptions(config), isDev: dev !== undefined }, { egress, service, log });
  const directory = new CodeDirectory(cells, listeners);
  const environments = new ProjectEnvironments(lookups, vault, controlListener);
  const runLog = new RunLog(cells, log, dev?.onRun);
  const settingsOf = (project: Project) => environments.of(project);
  const seconds = metrics.histogram({
    name: 'plinth_function_seconds',
    help: 'Duration of function runs, by kind and outcome.',
    labels: ['kind', 'outcome'],
  });
  const runs = new FunctionRuns({
    runner,
    directory,
    runs: runLog,
    vault,
    cells,
    settingsOf,
    onRun: (kind, outcome, ms) => seconds.observe(ms / 1000, kind, outcome),
  });
  const times = new ScheduleTimes();
  const dueRuns = new DueRuns({
    cells,
    deliveries,
    times,
    leaseOf: (cell) => leaseOf('schedules', cell),
    log,
  });
  deliveries.handle(functionKind, functionHandler({ runs, findProject }));
  return {
    runs,
    guards: new FunctionGuards(runs),
    addRoutes(routes: ProjectRoutes): void {
      addFunctionRoutes(routes, {
        runner,
        directory,
        onSwitch: [
          (db, project, functions) => subscribeFunctions(subscribers, db, project, functions),
          (db, project, functions) => saveSchedules(times, db, project, functions),
        ],
        runs,
        address: () => addresses.service,
      });
      addTaskRoutes(routes, deliveries);
      addBackgroundRoutes(routes, { runs, subscribers, deliveries });
      addScheduleRoutes(routes, { times, deliveries });
    },
    start(): void {
      runLog.start();
      if (config.DELIVERY_CONCURRENCY > 0) dueRuns.start();
    },
    /** Nothing new begins by itself. */
    async stopBeginning(): Promise<void> {
      await dueRuns.stop();
    },
    async stop(): Promise<void> {
      await runner.close();
      await egress.close();
      await directory.close();
      await runLog.stop();
    },
  };
}
