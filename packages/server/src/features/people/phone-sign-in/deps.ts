import type { Vault } from '../../../platform/crypto/vault.ts';
import type { MessageDeps } from '../messages/index.ts';
import type { PasswordDeps } from '../passwords/index.ts';

/** What it takes to send a code to a phone. */
export interface PhoneCodeDeps {
  readonly messages: MessageDeps;
  readonly vault: Vault;
}

export interface PhoneSignInDeps extends PhoneCodeDeps {
  readonly users: PasswordDeps;
}
