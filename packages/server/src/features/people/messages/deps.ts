import type { Project, Quotas } from '../../../calls/index.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { ProjectSecrets } from '../../control/index.ts';

/** How the server itself sends, for projects that have nothing of their own. */
export interface ServerMail {
  readonly smtpUrl?: string | undefined;
  readonly from?: string | undefined;
  /** For development: messages are kept here instead of sent. */
  readonly folder?: string | undefined;
}

/** What it takes to queue a message. */
export interface MessageDeps {
  readonly vault: Vault;
  readonly secrets: ProjectSecrets;
  readonly server: ServerMail;
  /** How many messages a project may send a day. */
  readonly quotas: Quotas;
}

/** What it takes to deliver one. */
export interface DeliveryDeps extends MessageDeps {
  readonly cells: Cells;
  readonly outbound: Outbound;
  readonly findProject: (id: string) => Promise<Project | undefined>;
  /** What became of one. */
  readonly onDelivery?: (kind: 'mail' | 'text', result: 'sent' | 'failed' | 'given_up' | 'expired') => void;
}
