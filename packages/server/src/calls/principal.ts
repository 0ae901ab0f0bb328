import type { ProjectDb } from '../platform/db/project-db.ts';
import type { Project } from './project.ts';

/** Who makes a call. The API key makes it trusted: rules are skipped. A token says which app user acts. */
export interface Principal {
  readonly isTrusted: boolean;
  readonly user?: SignedInUser;
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
}
