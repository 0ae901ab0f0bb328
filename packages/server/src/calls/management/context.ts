import type { ControlDb } from '../../platform/db/control-db.ts';
import type { Log } from '../../platform/log.ts';
import type { Answer } from '../answer.ts';
import type { CallOrigin } from '../context.ts';
import type { Account, AccountCaller, Membership } from './account.ts';

/** What a use case of management gets: on whose behalf, for which project. */
export interface ManagementContext {
  /** Inside the transaction that also writes to the audit log, if the call changes anything. */
  readonly control: ControlDb;
  /** Absent: nobody is signed in. */
  readonly caller?: AccountCaller | undefined;
  /** Of the project that the address names. */
  readonly membership?: (Membership & { readonly ref: string }) | undefined;
  readonly from: CallOrigin;
  readonly log: Log;
  /** Whether browsers reach the service over plain http, on this machine: cookies must not be `Secure` then. */
  readonly isPlain: boolean;
}

/** What a route of management answers. */
export interface ManagementAnswer extends Answer {
  readonly audit?: AuditNote;
}

/** What the audit log says of a change, beside who made it, when and from where. Never a secret. */
export interface AuditNote {
  /** For changes that are not about the project of the address. */
  readonly projectId?: string | undefined;
  /** For calls of somebody who was not signed in. */
  readonly accountId?: string | undefined;
  /** What was changed: an id, a name, an address. */
  readonly target?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface AuditEntry extends AuditNote {
  readonly action: string;
  readonly tokenId?: string | undefined;
  readonly address: string;
  readonly requestId: string;
}

/** Where changes are written down. */
export interface AuditLog {
  record(control: ControlDb, entry: AuditEntry): Promise<void>;
}

/** The account that makes the call. */
export function accountIn({ caller }: ManagementContext): Account {
  if (!caller) throw new Error('A route for accounts was called by nobody.');
  return caller.account;
}

/** The project that the call is about. */
export function projectIn({ membership }: ManagementContext): Membership & { readonly ref: string } {
  if (!membership) throw new Error('A route of a project was called without one.');
  return membership;
}
