import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import type { PasswordHasher, TryLimits } from '../../people/index.ts';
import type { AccountMails } from './mails.ts';

/** What accounts need of the rest of the service. */
export interface AccountDeps {
  readonly passwords: PasswordHasher;
  readonly vault: Vault;
  readonly tries: TryLimits;
  readonly mails: AccountMails;
  /** Who may make an account: `open`: anybody; `invited`: whoever was sent a link; `closed`: nobody. */
  readonly signUp: 'open' | 'invited' | 'closed';
  /** Whether a token is of an invitation to a project that was mailed to this address and can still be accepted. */
  readonly isInvited: (control: ControlDb, token: string, emailKey: string) => Promise<boolean>;
  /** Whether an invitation to a project waits for whoever has this address. */
  readonly isAwaited: (control: ControlDb, emailKey: string) => Promise<boolean>;
}
