import type { Account } from '../../../calls/management/index.ts';

/** An account as it is stored, but for how it signs in. */
export interface AccountRecord extends Account {
  readonly name: string;
  readonly createdAt: Date;
  readonly hasPassword: boolean;
  readonly hasAuthenticator: boolean;
}

/** An account as its owner sees it. */
export function describeAccount({ id, email, isVerified, name, createdAt, hasAuthenticator }: AccountRecord) {
  return { id, email, email_verified: isVerified, name, second_factor: hasAuthenticator, createdAt };
}
