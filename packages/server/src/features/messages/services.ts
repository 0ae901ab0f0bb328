import type { Cells } from '../../platform/db/cells.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Project, ProjectSecrets } from '../projects/index.ts';

/** How the server itself sends, for projects that have nothing of their own. */
interface ServerMail {
  readonly smtpUrl?: string | undefined;
  readonly from?: string | undefined;
  /** For development: messages are kept here instead of sent. */
  readonly folder?: string | undefined;
}

/** What putting a message into the queue needs. */
export interface MessageServices {
  readonly vault: Vault;
  readonly secrets: ProjectSecrets;
  readonly server: ServerMail;
}

/** What taking it out and delivering it needs besides. */
export interface DeliveryServices extends MessageServices {
  readonly cells: Cells;
  readonly outbound: Outbound;
  readonly findProject: (id: string) => Promise<Project | undefined>;
  readonly log: Log;
}
