import type { ProjectDb } from '../platform/db/project-db.ts';
import type { Project } from './project.ts';
import type { ScopedKey } from './scoped-key.ts';

/** Who makes a call: a server, an app user, a server on behalf of one, or nobody known. */
export interface Principal {
  /** A server calls, with an API key: rules are skipped. */
  readonly isTrusted: boolean;
  /** The app user behind a token. */
  readonly user?: SignedInUser;
  /** The further key that a server calls with: it may do what its scopes say. The API key itself may do everything. */
  readonly key?: ScopedKey;
  /** The function of the project that calls: as a server does, or with the rights of an app user. */
  readonly code?: { readonly name: string; readonly depth: number };
  /** The account that calls through the gateway: as a server does, or to read as an app user or nobody would. */
  readonly account?: { readonly id: string; readonly email: string; readonly tokenId: string | undefined };
}

/** Under which name a server calls: what is kept for one credential is not for another. Empty: no server does. */
export function serverNameOf({ isTrusted, key, account, code }: Principal): string {
  if (code) return `function ${code.name}`;
  if (account) return `account ${account.id}`;
  if (key) return `key ${key.id}`;
  return isTrusted ? 'server' : '';
}

/** The app user behind a token, as the record is now, but for what may be long. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly email_verified: boolean;
  /** The sign-in that the token belongs to. */
  readonly sessionId: string;
  /** Reads the rest, once: few calls need it. */
  readonly profile: (db: ProjectDb) => Promise<UserProfile>;
}

/** What is kept of an app user: its own word, and the server's. */
export interface UserProfile {
  readonly data: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Finds out whose a token is. */
export interface Authenticator {
  /** The project a token claims to be for, before anything of it is believed. */
  claimedProject(token: string): string | undefined;
  /** The user behind a token as of now; `expired`: there was one; undefined if it is not good for this project. */
  authenticate(project: Project, token: string): Promise<SignedInUser | 'expired' | undefined>;
  /** A user of the project, for somebody who may see what that user sees. */
  impersonate(project: Project, userId: string): Promise<SignedInUser | undefined>;
}
