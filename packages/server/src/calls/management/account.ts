/** A person who manages projects, as calls know it. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly isVerified: boolean;
}

export type Role = 'owner' | 'teammate';

/** An account that makes a call: in a browser by its session, in a program by a personal access token. */
export interface AccountCaller {
  readonly account: Account;
  readonly session?: { readonly id: string; readonly signedInAt: Date };
  readonly token?: PersonalToken;
}

interface PersonalToken {
  readonly id: string;
  readonly mayWrite: boolean;
  /** The projects it is for; null: all of its account. */
  readonly projectIds: readonly string[] | null;
}

/** Finds out which account makes a call, and what it is to a project. */
export interface AccountDirectory {
  findBySession(token: string): Promise<AccountCaller | undefined>;
  findByToken(token: string): Promise<AccountCaller | 'expired' | undefined>;
  /** Undefined: the account has nothing to do with the project, or there is none. */
  roleIn(accountId: string, ref: string, isDeleted?: boolean): Promise<Membership | undefined>;
}

export interface Membership {
  readonly projectId: string;
  readonly role: Role;
}
