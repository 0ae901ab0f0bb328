import type { AuthCalls } from './auth-calls.ts';

/** A session of the user. */
export interface SignIn {
  readonly id: string;
  /** `password`, `phone`, `passkey`, the name of a provider …, with a second step: `password+totp`. */
  readonly method: string;
  /** Browser and operating system: `Firefox, Windows`. */
  readonly device: string | null;
  readonly address: string;
  readonly createdAt: string;
  /** When it last got new tokens. */
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** It is the session of this client. */
  readonly current: boolean;
}

/** An account at an identity provider that the user can sign in with. */
export interface Identity {
  readonly provider: string;
  readonly email: string;
  readonly createdAt: string;
}

/** Where the user is signed in, and by what. */
export class SignIns {
  readonly #calls: AuthCalls;

  constructor(calls: AuthCalls) {
    this.#calls = calls;
  }

  /** Lists the newest 100 sessions. */
  list(): Promise<SignIn[]> {
    return this.#calls.send({ method: 'GET', path: '/sessions' });
  }

  /** Ends a session: its tokens are rejected from now on. */
  async end(id: string): Promise<void> {
    await this.#calls.send({ method: 'DELETE', path: `/sessions/${encodeURIComponent(id)}` });
  }

  /** Lists the connected accounts at identity providers. */
  identities(): Promise<Identity[]> {
    return this.#calls.send({ method: 'GET', path: '/identities' });
  }

  async disconnect(provider: string): Promise<void> {
    await this.#calls.send({ method: 'DELETE', path: `/identities/${encodeURIComponent(provider)}` });
  }
}
