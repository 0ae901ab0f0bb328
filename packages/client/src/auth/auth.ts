import { isPlinthError } from '../errors.ts';
import { hasFiles, toForm } from '../form.ts';
import type { Call, CallOptions, Http } from '../http.ts';
import { type Lazy, lazily } from '../lazily.ts';
import type { Changes, ProjectTypes, User } from '../project-types.ts';
import type { AuthCalls, Challenge, LoginResult } from './auth-calls.ts';
import type { Authenticator } from './authenticator.ts';
import type { Passkeys } from './passkeys.ts';
import type { Redirects } from './redirects.ts';
import { type AuthState, type SessionKeeper, type SignedIn, sessionOf } from './session-keeper.ts';
import type { SignIns } from './sign-ins.ts';

type OwnData<P extends ProjectTypes> = Partial<User<P>['data']> & object;

const base = '/auth-collections';
const anonymous = { isAnonymous: true } as const;
/** After a failure on the way, the token at hand is good for a while. */
const againMs = 30_000;

/** Sign-up, sign-in, and the signed-in user. */
export class Auth<P extends ProjectTypes> {
  readonly #http: Http;
  readonly #keeper: SessionKeeper;
  #refreshing: Promise<void> | undefined;
  #notBefore = 0;

  /** Sign-in with Google, Apple, GitHub and others, and on the hosted pages of the service. */
  readonly redirects: Lazy<Redirects<P>>;
  readonly passkeys: Lazy<Passkeys<P>>;
  /** Codes as a second step: from an authenticator app, or by email. */
  readonly authenticator: Lazy<Authenticator>;
  /** The sessions of the user, and the identity providers. */
  readonly signIns: Lazy<SignIns>;

  constructor(http: Http, keeper: SessionKeeper) {
    this.#http = http;
    this.#keeper = keeper;
    const calls: AuthCalls = {
      url: http.url + base,
      post: (path, body, options) => this.#post(path, body, options),
      send: async <Data>(call: Omit<Call, keyof CallOptions>) =>
        (await http.call<Data>({ ...call, path: base + call.path })).data,
      logIn: (path, body, options = {}) => this.#logIn(path, body, options),
    };
    this.redirects = lazily(async () => new (await import('./redirects.ts')).Redirects<P>(calls));
    this.passkeys = lazily(async () => new (await import('./passkeys.ts')).Passkeys<P>(calls));
    this.authenticator = lazily(async () => new (await import('./authenticator.ts')).Authenticator(calls));
    this.signIns = lazily(async () => new (await import('./sign-ins.ts')).SignIns(calls));
  }

  /** Who is signed in. With synchronous storage, as in browsers, it is never `loading`. */
  get state(): AuthState<User<P>> {
    return this.#keeper.get();
  }

  get user(): User<P> | null {
    return this.state.user;
  }

  /** Calls back immediately, and after each sign-in, sign-out and change of the user, in any tab. Returns `unsubscribe`. */
  readonly subscribe = (listener: (state: AuthState<User<P>>) => void): (() => void) =>
    this.#keeper.subscribe(listener);

  /** Waits until the state is known. On a server, this requests the user that the token belongs to. */
  async ready(options: CallOptions = {}): Promise<AuthState<User<P>>> {
    await this.#keeper.loaded;
    if (this.state.status === 'loading') {
      try {
        await this.reload(options);
      } catch (error) {
        // Refused for good: the state says so.
        if (!isPlinthError(error) || error.status !== 401) throw error;
      }
    }
    return this.state;
  }

  /** Signs up and signs in. Files in `data` are uploaded. */
  async signUp(
    { data, ...account }: { email: string; password: string; data?: OwnData<P>; role?: string },
    options: CallOptions = {},
  ): Promise<User<P>> {
    const body = hasFiles(data) ? withParts(toForm(data), account) : { ...account, data };
    return this.#enter(await this.#post<SignedIn>('/signup', body, { ...options, ...anonymous }));
  }

  logIn(
    { email, password }: { email: string; password: string },
    options: CallOptions = {},
  ): Promise<LoginResult<P>> {
    return this.#logIn('/login', { email, password }, options);
  }

  /** Sends a code: for signing in or, if a user is signed in, to verify their number. */
  async sendPhoneCode(
    phone: string,
    { channel, ...options }: CallOptions & { channel?: 'sms' | 'email' } = {},
  ): Promise<void> {
    await this.#post('/phone/send-code', { phone, channel }, options);
  }

  logInWithPhone(
    { phone, code }: { phone: string; code: string },
    options: CallOptions = {},
  ): Promise<LoginResult<P>> {
    return this.#logIn('/phone/login', { phone, code }, options);
  }

  /** Sets the phone number that the user can sign in with. Requires the password, or a sign-in within the last 15 minutes. */
  async verifyPhone(
    body: { phone: string; code: string; password?: string },
    options: CallOptions = {},
  ): Promise<User<P>> {
    return this.#renew(await this.#post<User<P>>('/phone/verify', body, options));
  }

  /** Signs out on this device, even without a connection, and on the server. */
  async logOut(): Promise<void> {
    const { session } = this.#keeper;
    await this.#keeper.forget('logged-out');
    if (!session) return;
    const headers = { Authorization: `Bearer ${session.token}` };
    await this.#post('/logout', {}, { ...anonymous, headers }).catch(() => {});
  }

  /** Reads the user again. */
  async reload(options: CallOptions = {}): Promise<User<P>> {
    return this.#renew((await this.#http.call<User<P>>({ ...options, method: 'GET', path: userPath })).data);
  }

  /** Updates the user: `update({ data: { name: 'Ada', avatar: file } })`. A new email address requires the password. */
  async update(
    changes: { data?: Changes<OwnData<P>>; role?: string; email?: string; password?: string },
    options: CallOptions = {},
  ): Promise<User<P>> {
    const { data, ...others } = changes;
    const isForm = hasFiles(data);
    if (isForm && Object.keys(others).length > 0)
      throw new TypeError('Files can only be sent together with `data`: change the rest in a separate call.');
    const body = isForm ? data : changes;
    return this.#renew(
      (await this.#http.call<User<P>>({ ...options, method: 'PATCH', path: userPath, body })).data,
    );
  }

  /** Changes the password, and ends all other sessions of the user. */
  async changePassword(oldPassword: string, newPassword: string, options: CallOptions = {}): Promise<void> {
    const body = { old_password: oldPassword, new_password: newPassword };
    await this.#enter(await this.#post<SignedIn>('/change-password', body, options));
  }

  /** Deletes the account of the signed-in user. */
  async deleteAccount(password?: string, options: CallOptions = {}): Promise<void> {
    await this.#http.call({ ...options, method: 'DELETE', path: userPath, body: { password } });
    await this.#keeper.forget('logged-out');
  }

  /** Emails a link to set a new password, if a user has the address. */
  async forgotPassword(email: string, options: CallOptions = {}): Promise<void> {
    await this.#post('/forgot-password', { email }, { ...options, ...anonymous });
  }

  /** Sets a password with the token of that link. It does not sign the user in. */
  async resetPassword(token: string, newPassword: string, options: CallOptions = {}): Promise<void> {
    const body = { token, new_password: newPassword };
    await this.#post('/reset-password', body, { ...options, ...anonymous });
  }

  /** Emails a link that verifies the user's email address. */
  async sendVerification(options: CallOptions = {}): Promise<void> {
    await this.#post('/verify-email/send', {}, options);
  }

  /** Verifies an email address with the token of that link. */
  async verifyEmail(token: string, options: CallOptions = {}): Promise<void> {
    await this.#post('/verify-email', { token }, { ...options, ...anonymous });
    if (this.#keeper.session) await this.reload(options).catch(() => {});
  }

  /** The token for requests. After half its lifetime it is refreshed in the background, once expired before the request. */
  async token(): Promise<string | undefined> {
    const keeper = this.#keeper;
    if (keeper.loaded) await keeper.loaded;
    const { expiresAt = Number.MAX_SAFE_INTEGER, refreshAt = expiresAt } = keeper.session ?? {};
    const now = Date.now();
    if (now >= expiresAt) await this.#refresh();
    else if (now >= refreshAt && now >= this.#notBefore) this.#refresh().catch(() => {});
    return keeper.session?.token;
  }

  /** The server has rejected the token. True: there is another one to retry with. */
  async refused(token: string, isExpired: boolean): Promise<boolean> {
    const keeper = this.#keeper;
    await keeper.load();
    if (keeper.session?.token === token) {
      if (isExpired && keeper.session.refreshToken !== undefined) await this.#refresh();
      else await keeper.forget(isExpired ? 'expired' : 'refused');
    }
    return keeper.session !== undefined && keeper.session.token !== token;
  }

  /** One trade at a time, in this tab and all others. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#tradeAlone().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #tradeAlone(): Promise<void> {
    const locks = globalThis.navigator?.locks as LockManager | undefined;
    if (locks && 'document' in globalThis) await locks.request(this.#http.url, () => this.#trade());
    else await this.#trade();
  }

  async #trade(): Promise<void> {
    const keeper = this.#keeper;
    const token = keeper.session?.token;
    // Another tab may have been faster.
    await keeper.load();
    const { session } = keeper;
    if (!session || session.token !== token) return;
    if (session.refreshToken === undefined) return keeper.forget('expired');
    try {
      const answer = await this.#post<SignedIn>(
        '/refresh',
        { refresh_token: session.refreshToken },
        { ...anonymous, ...(session.tradeKey && { idempotencyKey: session.tradeKey }) },
      );
      await keeper.keep(sessionOf(answer, session));
    } catch (error) {
      if (isPlinthError(error, 'invalid_refresh_token')) return keeper.forget('expired');
      if (isPlinthError(error, 'refresh_token_reused')) return keeper.forget('refused');
      // Another window, where there are no locks.
      if (isPlinthError(error, 'already_refreshed')) await keeper.load();
      if (keeper.session?.token !== token) return;
      this.#notBefore = Date.now() + againMs;
      throw error;
    }
  }

  async #logIn(path: string, body: object, options: CallOptions): Promise<LoginResult<P>> {
    const answer = await this.#post<SignedIn | Challenge>(path, body, { ...options, ...anonymous });
    if (!('requires_2fa' in answer)) return { user: await this.#enter(answer) };
    const { challenge, methods } = answer;
    return {
      secondStep: {
        methods,
        verify: async (code, more = {}) =>
          this.#enter(await this.#post('/2fa/verify', { challenge, code }, { ...more, ...anonymous })),
        resend: async (more = {}) => {
          await this.#post('/2fa/resend', { challenge }, { ...more, ...anonymous });
        },
      },
    };
  }

  async #post<Data>(
    path: string,
    body: object,
    options: CallOptions & Pick<Call, 'isAnonymous'> = {},
  ): Promise<Data> {
    return (await this.#http.call<Data>({ ...options, method: 'POST', path: base + path, body })).data;
  }

  async #enter(answer: SignedIn): Promise<User<P>> {
    await this.#keeper.keep(sessionOf(answer));
    return answer.user;
  }

  async #renew(user: User<P>): Promise<User<P>> {
    const { session } = this.#keeper;
    if (session) await this.#keeper.keep({ ...session, user: user });
    return user;
  }
}

const userPath = `${base}/user`;

function withParts(form: FormData, parts: Readonly<Record<string, string | undefined>>): FormData {
  for (const [name, value] of Object.entries(parts)) if (value !== undefined) form.append(name, value);
  return form;
}
