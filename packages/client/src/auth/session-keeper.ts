import type { User } from '../project-types.ts';
import { randomId } from '../random-id.ts';
import { Store } from '../store.ts';

/** Where the session is stored between visits: `localStorage`, `AsyncStorage`, or anything with the same interface. */
export interface KeyValueStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** How a session has ended: by `logOut`, because it expired, or because the server rejected it. */
export type EndOfSession = 'logged-out' | 'expired' | 'refused';

export type AuthState<Signed = User> =
  | { readonly status: 'loading'; readonly user: null }
  | { readonly status: 'signed-in'; readonly user: Signed }
  | { readonly status: 'signed-out'; readonly user: null; readonly reason?: EndOfSession };

/** A sign-in, as it is kept. Times are those of this clock, which may be wrong: they are never sent. */
export interface Session {
  readonly token: string;
  readonly refreshToken?: string | undefined;
  /** Of the trade of the refresh token: a trade whose answer got lost is repeated, not done again. */
  readonly tradeKey?: string;
  /** Half the token's life: time for a fresh one. */
  readonly refreshAt?: number;
  readonly expiresAt?: number;
  readonly user?: User;
}

/** What the server answers to a sign-in. */
export interface SignedIn {
  readonly access_token: string;
  readonly expires_at: string;
  readonly refresh_token?: string;
  readonly user: User;
}

/** What tabs tell each other. */
interface News {
  readonly at: number;
  readonly text: string | null;
}

const hourMs = 3_600_000;

/** A sign-in as it is kept, from the answer to it and the one before. */
export function sessionOf(
  { access_token: token, expires_at: end, refresh_token: refreshToken, user }: SignedIn,
  before?: Session,
): Session {
  const now = Date.now();
  // A clock that is far ahead sees every token expired. Then the server says when it is time.
  const lifeMs = Date.parse(end) - now;
  return {
    ...before,
    token,
    user,
    ...(refreshToken && { refreshToken, tradeKey: randomId() }),
    ...(lifeMs > 0
      ? { refreshAt: now + lifeMs / 2, expiresAt: now + lifeMs }
      : { refreshAt: now + hourMs, expiresAt: Number.MAX_SAFE_INTEGER }),
  };
}

/** Who is signed in: kept in storage, and the same in all tabs. */
export class SessionKeeper extends Store<AuthState> {
  readonly #storage: KeyValueStorage | undefined;
  readonly #key: string;
  #channel: BroadcastChannel | undefined;
  #text: string | null = null;
  /** When it was last changed: news from before that may come late. */
  #at = 0;
  session: Session | undefined;
  /** Once it is known what the storage holds. */
  readonly loaded: Promise<void> | undefined;

  constructor(storage: KeyValueStorage | undefined, key: string, token?: string) {
    super({ status: 'loading', user: null });
    this.#storage = storage;
    this.#key = key;
    if (token !== undefined) {
      this.session = { token };
      return;
    }
    const first = storage?.getItem(key) ?? null;
    // Where the answer is there already, nothing is ever shown as loading.
    if (first === null || typeof first === 'string') this.#take(first);
    else this.loaded = first.then((text) => this.#take(text));
    // All tabs have the storage of the page; another one, such as `sessionStorage`, may be for this one alone.
    const isShared = storage !== undefined && storage === defaultStorage();
    if (isShared && typeof BroadcastChannel === 'function') {
      this.#channel = new BroadcastChannel(key);
      // With the message comes what was kept: the storage of another tab may be seen later.
      this.#channel.addEventListener('message', ({ data: { at, text } }: MessageEvent<News>) => {
        if (at < this.#at) return;
        this.#at = at;
        this.#take(text);
      });
    }
  }

  /** Calls back when a user signs in or out, and with every new token. */
  onToken(listener: (user: string | undefined, token: string | undefined) => void): void {
    let known: string | undefined;
    this.subscribe(() => {
      const { token, user } = this.session ?? {};
      if (token === known) return;
      known = token;
      listener(user?.id, token);
    });
  }

  /** Reads again what is kept: another tab may have changed it. */
  async load(): Promise<void> {
    if (this.#storage) this.#take(await this.#storage.getItem(this.#key));
  }

  async keep(session: Session): Promise<void> {
    await this.#write(session);
    this.#show(session);
  }

  async forget(reason: EndOfSession): Promise<void> {
    if (!this.session) return;
    await this.#write(undefined);
    this.#show(undefined, reason);
  }

  /** Kept before anybody is told: a listener that leaves the page takes nothing with it. */
  async #write(session: Session | undefined): Promise<void> {
    this.session = session;
    this.#at = Date.now();
    this.#text = session ? JSON.stringify(session) : null;
    try {
      if (this.#text === null) await this.#storage?.removeItem(this.#key);
      else await this.#storage?.setItem(this.#key, this.#text);
    } catch {
      // A full or forbidden storage: signed in until the page is left.
    }
    this.#channel?.postMessage({ at: this.#at, text: this.#text } satisfies News);
  }

  #take(text: string | null): void {
    if (text === this.#text && this.get().status !== 'loading') return;
    this.#text = text;
    try {
      this.session = (JSON.parse(text ?? 'null') as Session | null) ?? undefined;
    } catch {
      this.session = undefined;
    }
    this.#show(this.session);
  }

  #show(session: Session | undefined, reason?: EndOfSession): void {
    if (session?.user) this.set({ status: 'signed-in', user: session.user });
    else if (!session) this.set({ status: 'signed-out', user: null, ...(reason && { reason }) });
  }
}

/** `localStorage` of a page, if it works. */
export function defaultStorage(): KeyValueStorage | undefined {
  // A server has none unless it is given one: it would be the same for all of its visitors.
  if (!('document' in globalThis)) return undefined;
  try {
    const { localStorage } = globalThis;
    // In some browsers the mere look at it fails.
    localStorage.getItem('');
    return localStorage;
  } catch {
    return undefined;
  }
}
