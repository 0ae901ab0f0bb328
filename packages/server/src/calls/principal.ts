import type { Project } from './project.ts';

/** Who makes a call. The API key makes it trusted: rules are skipped. A token says which app user acts. */
export interface Principal {
  readonly isTrusted: boolean;
  readonly user?: SignedInUser;
}

/** The app user behind a token, as the record is now. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly email_verified: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The sign-in that the token belongs to. */
  readonly sessionId: string;
}

/** Finds out whose a token is. */
export interface Authenticator {
  /** The project a token claims to be for, before anything of it is believed. */
  claimedProject(token: string): string | undefined;
  /** The user behind a token as of now; undefined if it is not good for this project. */
  authenticate(project: Project, token: string): Promise<SignedInUser | undefined>;
}
