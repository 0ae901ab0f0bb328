import type { ProjectTypes, User } from '../project-types.ts';
import type { AuthCalls } from './auth-calls.ts';
import { askForPasskey, type CreationOptions, makePasskey, type RequestOptions } from './webauthn.ts';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** It is backed up: other devices of the user may have it too. */
  readonly backedUp: boolean;
}

/** Sign-in with a fingerprint, a face or a PIN. Works in pages, over HTTPS or on localhost. */
export class Passkeys<P extends ProjectTypes> {
  readonly #calls: AuthCalls;

  constructor(calls: AuthCalls) {
    this.#calls = calls;
  }

  /** Asks for a passkey of this page, and signs in. No user name is needed. */
  async logIn(): Promise<User<P>> {
    const options = await this.#calls.post<RequestOptions>(
      '/passkeys/login/options',
      {},
      { isAnonymous: true },
    );
    const response = await askForPasskey(options);
    const { user } = await this.#calls.logIn('/passkeys/login', { response });
    return user as User<P>;
  }

  /** Creates a passkey for the signed-in user. Requires the password of users who have one. */
  async add({ name, password }: { name?: string; password?: string } = {}): Promise<Passkey> {
    const options = await this.#calls.post<CreationOptions>('/passkeys/register/options', { password });
    const response = await makePasskey(options);
    return this.#calls.post('/passkeys/register', { response, name });
  }

  list(): Promise<Passkey[]> {
    return this.#calls.send({ method: 'GET', path: '/passkeys' });
  }

  rename(id: string, name: string): Promise<Passkey> {
    return this.#calls.send({ method: 'PATCH', path: placeOf(id), body: { name } });
  }

  async delete(id: string): Promise<void> {
    await this.#calls.send({ method: 'DELETE', path: placeOf(id) });
  }
}

const placeOf = (id: string) => `/passkeys/${encodeURIComponent(id)}`;
