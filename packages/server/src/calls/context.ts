import type { ProjectDb } from '../platform/db/project-db.ts';
import type { Log } from '../platform/log.ts';
import type { KeyClaim } from './idempotency/key-claim.ts';
import type { Principal } from './principal.ts';
import type { Project } from './project.ts';

/** Where a call comes from. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
  /** The Accept-Language header. */
  readonly languages: string;
}

/** What every use case gets: whose data, on whose behalf. */
export interface RequestContext {
  readonly project: Project;
  readonly principal: Principal;
  readonly from: CallOrigin;
  readonly db: ProjectDb;
  readonly log: Log;
  /** A key that the work itself has to claim: only for routes that say so. */
  readonly claim?: KeyClaim;
  /** How many hooks have led to the call: one that a hook makes is one deeper than what set it off. */
  readonly depth?: number;
}
