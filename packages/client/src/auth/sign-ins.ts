import type { AuthCalls } from './auth-calls.ts';

/** A place where the user is signed in. */
export interface SignIn {
  readonly id: string;
  /** `password`, `phone`, `passkey`, the name of a provider …, with the second step: `password+totp`. */
  readonly method: string;
  /** Browser and system: `Firefox, Windows`. */
  readonly device: string | null;
  readonly address: string;
  readonly createdAt: string;
  /** When it last got new tokens. */
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** It is this one. */
  readonly current: boolean;
}

/** An account elsewhere that the user can sign in with. */
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

  /** The newest 100. */
  list(): Promise<SignIn[]> {
    return this.#calls.send({ method: 'GET', path: '/sessions' });
  }

  /** Ends one: its token is refused from now on. */
  async end(id: string): Promise<void> {
    await this.#calls.send({ method: 'DELETE', path: `/sessions/${encodeURIComponent(id)}` });
  }

  /** The accounts at providers that are connected. */
  identities(): Promise<Identity[]> {
    return this.#calls.send({ method: 'GET', path: '/identities' });
  }

  async disconnect(provider: string): Promise<void> {
    await this.#calls.send({ method: 'DELETE', path: `/identities/${encodeURIComponent(provider)}` });
  }
}
