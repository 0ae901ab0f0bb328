import type { Project, RequestContext } from '../../calls/index.ts';
import type { Vault } from '../../platform/crypto/vault.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Deliveries, Subscribers } from '../deliveries/index.ts';
import type { WebhookTargets } from './webhook-targets.ts';

/** A project that somebody manages. */
export type Managed = Pick<RequestContext, 'project' | 'db'>;

/** What webhooks need of the rest of the service. */
export interface WebhookDeps {
  readonly open: (ref: string) => Promise<Managed | undefined>;
  readonly subscribers: Subscribers;
  readonly deliveries: Pick<Deliveries, 'hint' | 'replay'>;
  readonly targets: WebhookTargets;
  readonly outbound: Pick<Outbound, 'fetch' | 'check'>;
  readonly vault: Vault;
  /** Resolves when this node has heard of what was changed. */
  readonly caughtUp: (project: Project) => Promise<unknown>;
}
