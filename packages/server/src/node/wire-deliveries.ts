import type { Project } from '../calls/index.ts';
import type { ManagementRoutes } from '../calls/management/index.ts';
import { readRecordTest } from '../features/data/documents/index.ts';
import { Deliveries, Subscribers } from '../features/deliveries/index.ts';
import type { DisabledSubscriber } from '../features/management/notices/index.ts';
import {
  addWebhookRoutes,
  timeoutMs,
  WebhookTargets,
  webhookHandler,
  kind as webhookKind,
} from '../features/webhooks/index.ts';
import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/log.ts';
import { Outbound } from '../platform/outbound/outbound.ts';
import type { Engines } from './engines.ts';

interface DeliveryNeeds {
  readonly findByRef: (ref: string) => NowOrLater<Project | undefined>;
  /** Tells the team that nobody listens any more. */
  readonly tellDisabled: (disabled: DisabledSubscriber) => Promise<void>;
  readonly log: Log;
}

/** Puts together what tells others of events: deliveries, and the kinds of those who are told. */
export function wireDeliveries(
  config: Config,
  engines: Engines,
  { findByRef, tellDisabled, log }: DeliveryNeeds,
) {
  const { cells, listeners, vault } = engines;
  const outbound = new Outbound({ allowed: config.OUTBOUND_ALLOW, timeoutMs });
  const targets = new WebhookTargets(cells, listeners, vault);
  const subscribers = new Subscribers({ cells, listeners, readFilter: readRecordTest });
  const deliveries = new Deliveries({
    cells,
    subscribers,
    concurrency: config.DELIVERY_CONCURRENCY,
    leaseOf: (cell) => engines.leaseOf('deliveries', cell),
    log,
    onDisabled: ({ id }, { kind, name }, why) => tellDisabled({ projectId: id, kind, name, ...why }),
  });
  deliveries.addMetrics(engines.metrics);
  deliveries.handle(webhookKind, webhookHandler({ targets, outbound }));
  return {
    deliveries,
    subscribers,
    addRoutes: (routes: ManagementRoutes) =>
      addWebhookRoutes(routes, {
        open: async (ref) => {
          const project = await findByRef(ref);
          return project && { project, db: cells.forProject(project) };
        },
        subscribers,
        deliveries,
        targets,
        outbound,
        vault,
        caughtUp: ({ cell }) => engines.caughtUp(cell),
      }),
    start: () => deliveries.start(),
    async stop(): Promise<void> {
      await deliveries.stop();
      await outbound.close();
    },
  };
}
